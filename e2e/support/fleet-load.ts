import { setTimeout as pause } from 'node:timers/promises'
import { createTestClient } from '../../test/support/trpc-client.ts'
import type { User } from './user.ts'
import type { SentPhoto } from './write-load.ts'

/** Parts of the site that are read under load. */
export type Target = 'page' | 'list' | 'search' | 'image'

/** A read or write that failed. */
export interface Failure {
  readonly target: Target | 'share'
  /** Null if there was no response. */
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
  /** Ends the load after the requests that are running. */
  stop(): Promise<void>
}

/** Pauses between two requests of a client, in milliseconds. A user may write four times a second. */
const readPauseMs = 10
const writePauseMs = 300

const input = (value: object) => encodeURIComponent(JSON.stringify(value))

/** Reads gallery, search and images, and shares photos as all users, concurrently. */
export function startLoad(
  url: string,
  users: readonly User[],
  photos: readonly SentPhoto[],
  imagePath: string,
): Load {
  const reads = { page: 0, list: 0, search: 0, image: 0 }
  const failures: Failure[] = []
  const shared = new Map<string, string>()
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
      try {
        const response = await fetch(url + paths[target]())
        await response.arrayBuffer()
        if (response.ok) reads[target] += 1
        else
          failures.push({ target, status: response.status, retryAfter: response.headers.get('retry-after') })
      } catch {
        failures.push({ target, status: null, retryAfter: null })
      }
      await pause(readPauseMs)
    }
  }

  async function write({ name, cookie }: User): Promise<void> {
    const headers = { cookie: `${cookie.name}=${cookie.value}`, origin: url }
    const trpc = createTestClient(url, () => headers)
    for (const [index, photo] of endlessly(photos)) {
      if (end.signal.aborted) return
      // The same photo and prompt would be the same post.
      const prompt = `Photo ${index} of ${startedAt}`
      try {
        const { id } = await trpc.posts.create.mutate({ name, prompt, photo: photo.dataUrl })
        shared.set(id, photo.sha256)
      } catch (error) {
        const data = (error as { data?: { httpStatus?: number; retryAfter?: number } | null }).data
        const retryAfter = data?.retryAfter === undefined ? null : String(data.retryAfter)
        failures.push({ target: 'share', status: data?.httpStatus ?? null, retryAfter })
      }
      await pause(writePauseMs)
    }
  }

  const targets = Object.keys(paths) as Target[]
  const running = [...targets.map(read), ...users.map(write)]
  return {
    reads,
    failures,
    shared,
    async stop() {
      end.abort()
      await Promise.all(running)
    },
  }
}

function* endlessly<Value>(values: readonly Value[]): Generator<[number, Value]> {
  for (let index = 0; ;) for (const value of values) yield [index++, value]
}
