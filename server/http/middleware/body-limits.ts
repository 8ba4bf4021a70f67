import type { Context, MiddlewareHandler } from 'hono'
import { uploadMaxBytes } from '../../../shared/limits.ts'
import { readCredentials, type Authenticator } from '../../auth/authenticator.ts'
import { AppError, describedDetail } from '../../errors/app-error.ts'
import { isSafeMethod } from './csrf.ts'

interface BodyLimit {
  readonly maxBytes: number
  /**
   * Maximum of a rejected body that is read and discarded, as most clients read the response only after sending everything.
   * Larger than any body sent by mistake.
   */
  readonly maxDiscardedBytes: number
  /** Maximum number of bodies of a user above 1 MB that are in memory at once. */
  readonly maxPerUser?: number
}

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Fits a prompt of 4,000 characters of many bytes each. */
const defaultLimit: BodyLimit = { maxBytes: megabyte, maxDiscardedBytes: 8 * megabyte }
/** Fits an email address and a password. */
const accountLimit: BodyLimit = { maxBytes: 64 * kilobyte, maxDiscardedBytes: 8 * megabyte }
/** Fits an image in base64 and the other fields of its post. */
const maxPhotoBytes = Math.ceil((uploadMaxBytes * 4) / 3) + defaultLimit.maxBytes
const photoLimit: BodyLimit = { maxBytes: maxPhotoBytes, maxDiscardedBytes: 2 * maxPhotoBytes }
/** Fits the images of an edit, as files or as base64 in JSON. */
const editLimit: BodyLimit = { maxBytes: 50 * megabyte, maxDiscardedBytes: 100 * megabyte, maxPerUser: 4 }

/** Time after which a user with too many bodies should try again, in seconds. */
const retryAfterSeconds = 10

/**
 * Limits the size of request bodies, and reads them before the handler runs: a body that no handler reads would block the
 * connection. Bodies above 1 MB are accepted only on routes that take images, from signed-in users, and only some of a user at
 * once where handlers keep them for long.
 *
 * Unlike `hono/body-limit`, reads a rejected body, so that the client gets the response.
 *
 * @see docs/decisions/0013
 * @throws AppError `too_large`; for a body above 1 MB `not_signed_in`, or `too_many_unfinished`
 */
export function limitBody(authenticator: Pick<Authenticator, 'authenticate'>): MiddlewareHandler {
  const heldBodies = new HeldBodies()
  return async (c, next) => {
    // Accessing `body` of a bodyless request takes longer than most responses.
    if (isSafeMethod(c.req.method)) return next()
    const { body, headers } = c.req.raw
    if (body) {
      const limit = limitOf(c.req.path)
      const { maxBytes } = limit
      const declaredBytes = declaredBytesOf(headers)
      let release: (() => void) | undefined
      try {
        if (declaredBytes !== null && declaredBytes > maxBytes) throw new AppError('too_large')
        if (maxBytes > defaultLimit.maxBytes && (declaredBytes ?? maxBytes) > defaultLimit.maxBytes) {
          const identity = await authenticator.authenticate(readCredentials(headers))
          if (!identity) throw new AppError('not_signed_in')
          if (limit.maxPerUser !== undefined) {
            release = heldBodies.hold(identity.viewer.id, limit.maxPerUser)
            c.set(releaseKey, release)
          }
        }
      } catch (error) {
        await discard(c, body, limit, declaredBytes)
        throw error
      }
      try {
        c.req.raw = withBody(c.req.raw, await readBody(c, body, limit))
        return await next()
      } finally {
        release?.()
      }
    }
    await next()
  }
}

/** Context variable with the function that stops counting the body of a request. */
const releaseKey = 'releaseBody'

/** Counts the bodies of users that are in memory. */
class HeldBodies {
  readonly #perUser = new Map<string, number>()

  /**
   * Counts a body of a user.
   *
   * @returns a function that stops counting it
   * @throws AppError `too_many_unfinished`
   */
  hold(userId: string, max: number): () => void {
    const held = this.#perUser.get(userId) ?? 0
    if (held >= max) {
      throw new AppError(
        'too_many_unfinished',
        describedDetail('upload_in_progress', { seconds: retryAfterSeconds }),
        { retryAfter: retryAfterSeconds },
      )
    }
    this.#perUser.set(userId, held + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const remaining = (this.#perUser.get(userId) ?? 0) - 1
      if (remaining > 0) this.#perUser.set(userId, remaining)
      else this.#perUser.delete(userId)
    }
  }
}

/**
 * Drops the body of a request, which the request keeps after it was read, so that the user can send another one. For handlers
 * that go on without it: generations may wait for hours.
 */
export function releaseBody(c: Context): void {
  const { url, method, headers, signal } = c.req.raw
  c.req.raw = new Request(url, { method, headers, signal })
  const release = c.get(releaseKey) as (() => void) | undefined
  release?.()
}

/** Reads and discards a body of the size of an image, for a response that does not depend on it. */
export async function discardBody(c: Context): Promise<void> {
  const { body, headers } = c.req.raw
  if (body) await discard(c, body, photoLimit, declaredBytesOf(headers))
}

/** Length that a request declares; null if it is sent in chunks. */
function declaredBytesOf(headers: Headers): number | null {
  return headers.has('transfer-encoding') ? null : Number(headers.get('content-length') ?? 0)
}

function limitOf(path: string): BodyLimit {
  if (path === '/api/v1/post' || /^\/trpc\/(?:.*,)?(?:posts\.create|images\.upload)(?:,|$)/.test(path))
    return photoLimit
  if (path === '/v1/images/edits') return editLimit
  return path.startsWith('/api/auth/') ? accountLimit : defaultLimit
}

function withBody(request: Request, body: Blob): Request {
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body })
}

/** @throws AppError `too_large` after reading up to `maxDiscardedBytes` */
async function readBody(
  c: Context,
  body: ReadableStream<Uint8Array>,
  { maxBytes, maxDiscardedBytes }: BodyLimit,
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const bytesRead = await readChunks(body, maxDiscardedBytes, (chunk, bytesSoFar) => {
    if (bytesSoFar <= maxBytes) chunks.push(new Uint8Array(chunk))
    else chunks.length = 0
  })
  if (bytesRead <= maxBytes) return new Blob(chunks)
  closeConnectionAbove(c, maxDiscardedBytes, bytesRead)
  throw new AppError('too_large')
}

/** Reads nothing of a body whose declared length is above `maxDiscardedBytes`. */
async function discard(
  c: Context,
  body: ReadableStream<Uint8Array>,
  { maxDiscardedBytes }: BodyLimit,
  declaredBytes: number | null,
): Promise<void> {
  const isTooLong = declaredBytes !== null && declaredBytes > maxDiscardedBytes
  closeConnectionAbove(
    c,
    maxDiscardedBytes,
    isTooLong ? declaredBytes : await readChunks(body, maxDiscardedBytes, () => {}),
  )
}

/** Reads until the end or until more than `maxBytes` were read; returns the number of bytes read. */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  onChunk: (chunk: Uint8Array, bytesSoFar: number) => void,
): Promise<number> {
  let bytesSoFar = 0
  const reader = body.getReader()
  for (let chunk = await reader.read(); !chunk.done && bytesSoFar <= maxBytes; chunk = await reader.read()) {
    bytesSoFar += chunk.value.length
    onChunk(chunk.value, bytesSoFar)
  }
  return bytesSoFar
}

/** Closes the connection if part of the body is still unread: the next request could not be read from it. */
function closeConnectionAbove(c: Context, maxBytes: number, bytes: number): void {
  if (bytes > maxBytes) c.header('Connection', 'close')
}
