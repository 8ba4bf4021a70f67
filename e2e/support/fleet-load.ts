import { setTimeout as pause } from 'node:timers/promises'
import { createTestClient, generateImage } from '../../test/support/trpc-client.ts'
import type { User } from './user.ts'
import type { SentPhoto } from './write-load.ts'

/** Parts of the site that are read under load. */
type Target = 'page' | 'list' | 'search' | 'image'

/** A read or write that failed. */
interface Failure {
  readonly target: Target | 'share' | 'generate'
  /** Null if there was no response; 200 for one that broke off. */
  readonly status: number | null
  readonly retryAfter: string | null
}

/** A mixed load that runs until it is stopped. */
export interface Load {
  /** Number of successful reads. */
  readonly reads: Readonly<Record<Target, number>>
  readonly failures: Failure[]
  /** Shared posts by id, with the checksum of their image. */
  readonly shared: ReadonlyMap<string, string>
  readonly isGenerating: boolean
  /** Ids of generated images. */
  readonly generated: readonly string[]
  /** Ends the load after the requests that are running. */
  stop(): Promise<void>
}

/** Pauses between two requests of a client, in milliseconds. A user may write four times a second. */
const readPauseMs = 10
const writePauseMs = 300

const input = (value: object) => encodeURIComponent(JSON.stringify(value))

/**
 * Reads gallery, search and images, and shares photos as all users, concurrently.
 *
 * @param generating user who generates meanwhile, one image after the other
 */
export function startLoad(
  url: string,
  users: readonly User[],
  photos: readonly SentPhoto[],
  imagePath: string,
  generating?: User,
): Load {
  const reads = { page: 0, list: 0, search: 0, image: 0 }
  const failures: Failure[] = []
  const shared = new Map<string, string>()
  const generated: string[] = []
  const startedAt = performance.now()
  const end = new AbortController()

  const paths: Record<Target, () => string> = {
    page: () => '/',
    list: () => `/trpc/posts.list?input=${input({ limit: 20 })}`,
    // No response is cached.
    search: () => `/trpc/posts.list?input=${input({ search: `lotus ${Math.random()}` })}`,
    image: () => imagePath,
  }

  async function read(target: Target): Promise<void> {
    while (!end.signal.aborted) {
      let response: Response | undefined
      try {
        response = await fetch(url + paths[target]())
        await response.arrayBuffer()
        if (response.ok) reads[target] += 1
        else
          failures.push({ target, status: response.status, retryAfter: response.headers.get('retry-after') })
      } catch {
        failures.push({ target, status: response?.status ?? null, retryAfter: null })
      }
      await pause(readPauseMs)
    }
  }

  const clientOf = ({ cookie }: User) =>
    createTestClient(url, () => ({ cookie: `${cookie.name}=${cookie.value}`, origin: url }))

  function recordFailure(target: 'share' | 'generate', error: unknown): void {
    const data = (error as { data?: { httpStatus?: number; retryAfter?: number } | null }).data
    const retryAfter = data?.retryAfter === undefined ? null : String(data.retryAfter)
    failures.push({ target, status: data?.httpStatus ?? null, retryAfter })
  }

  async function generate(user: User): Promise<void> {
    const trpc = clientOf(user)
    for (let number = 0; !end.signal.aborted; number += 1) {
      try {
        const image = await generateImage(trpc, `Lotus ${number} of ${startedAt}`)
        generated.push(image.id)
      } catch (error) {
        recordFailure('generate', error)
      }
      await pause(writePauseMs)
    }
  }

  async function write(user: User): Promise<void> {
    const { name } = user
    const trpc = clientOf(user)
    for (const [index, photo] of endlessly(photos)) {
      if (end.signal.aborted) return
      // The same photo and prompt would be the same post.
      const prompt = `Photo ${index} of ${startedAt}`
      try {
        const { id } = await trpc.posts.create.mutate({ name, prompt, photo: photo.dataUrl })
        shared.set(id, photo.sha256)
      } catch (error) {
        recordFailure('share', error)
      }
      await pause(writePauseMs)
    }
  }

  const targets = Object.keys(paths) as Target[]
  const running = [...targets.map(read), ...users.map(write), ...(generating ? [generate(generating)] : [])]
  return {
    reads,
    failures,
    shared,
    isGenerating: generating !== undefined,
    generated,
    async stop() {
      end.abort()
      await Promise.all(running)
    },
  }
}

function* endlessly<Value>(values: readonly Value[]): Generator<[number, Value]> {
  for (let index = 0; ;) for (const value of values) yield [index++, value]
}
