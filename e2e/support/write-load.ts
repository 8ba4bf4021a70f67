import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import { imageFromUpload } from '../../server/images/processing.ts'
import type { Post } from '../../shared/posts.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { callAs, type User } from './user.ts'

/** Environment without effective daily limits. */
export const unlimited = {
  TRUST_PROXY: '1',
  DAILY_IMAGE_LIMIT: '1000000',
  DAILY_UPLOAD_LIMIT: '1000000',
  DAILY_POST_LIMIT: '1000000',
}

/** Starts a server without effective daily limits for the rest of the test. */
export async function startUnlimited(folder: string, env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(folder, { ...env, ...unlimited })
  onTestFinished(() => void server.kill())
  return server
}

/** Image to upload, with the checksum of what the server stores. */
export interface SentPhoto {
  readonly dataUrl: string
  readonly sha256: string
}

/** Generates images of random content to upload. */
export function takeImages(count: number): Promise<SentPhoto[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const photo = sharp({ create: { width: 300, height: 200, channels: 3, background: '#888', noise } })
  return Promise.all(
    Array.from({ length: count }, async () => {
      const bytes = await photo.clone().jpeg().toBuffer()
      const dataUrl = `data:image/jpeg;base64,${bytes.toString('base64')}`
      return { dataUrl, sha256: (await imageFromUpload(bytes)).sha256 }
    }),
  )
}

/** Writes that a server acknowledged before it was killed. */
export interface Acknowledged {
  /** Shared posts, with the checksum of their image. */
  readonly posts: Map<string, { readonly post: Post; readonly sha256: string }>
  readonly deleted: Set<string>
  /** Posts whose deletion was requested and not acknowledged: they may exist or not. */
  readonly unclear: Set<string>
}

/**
 * Generates, shares, uploads and deletes as several users concurrently, until the server is gone.
 *
 * @param pauseMs pause after each write of a user
 */
export async function writeUntilClosed(
  url: string,
  users: readonly User[],
  photos: readonly SentPhoto[],
  generatedSha256: string,
  { posts, deleted, unclear }: Acknowledged,
  pauseMs = 0,
): Promise<void> {
  let isClosed = false
  let imagesSent = 0

  async function repeat(write: () => Promise<void>): Promise<void> {
    while (!isClosed) {
      try {
        await write()
        await pause(pauseMs)
      } catch (error) {
        // A rejected write is a response; any other error is the end of the server.
        if (!isResponse(error)) isClosed = true
      }
    }
  }

  function loadOf(user: User): Promise<void>[] {
    const trpc = callAs(user, url)
    const name = user.name

    async function generateAndShare() {
      const { images } = await trpc.images.generate.mutate({ prompt: 'A lotus' })
      for (let image = images[0]; image; image = await trpc.images.get.query({ id: image.id })) {
        if (image.state !== 'succeeded') continue
        const post = await trpc.posts.create.mutate({ name, prompt: 'A lotus', imageId: image.id })
        posts.set(post.id, { post, sha256: generatedSha256 })
        return
      }
    }

    async function upload() {
      const photo = photos[imagesSent++ % photos.length]
      if (!photo) throw new Error('There is no photo to send.')
      const post = await trpc.posts.create.mutate({ name, prompt: 'A photo', photo: photo.dataUrl })
      posts.set(post.id, { post, sha256: photo.sha256 })
      if (imagesSent % 3 > 0) return
      unclear.add(post.id)
      await trpc.posts.delete.mutate({ id: post.id })
      unclear.delete(post.id)
      deleted.add(post.id)
    }

    return [repeat(generateAndShare), repeat(upload)]
  }

  await Promise.all(users.flatMap(loadOf))
}

function isResponse(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null }).data?.httpStatus
  return status === 429 || status === 503
}

/** Creates a seeded pseudo-random generator of numbers from 0 up to, but not including, 1. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
