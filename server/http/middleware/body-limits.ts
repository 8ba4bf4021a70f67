import type { Context, MiddlewareHandler } from 'hono'
import { uploadMaxBytes } from '../../../shared/limits.ts'
import { readCredentials, type Authenticator } from '../../auth/authenticator.ts'
import { AppError } from '../../errors/app-error.ts'
import { isSafeMethod } from '../safe-methods.ts'

/** What one address takes, and how much of a refused body is read and thrown away, in bytes. */
interface Allowance {
  readonly limit: number
  /** Most clients listen only when they have sent everything; more than this nobody sends by mistake. */
  readonly patience: number
}

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Ample for a prompt of 4,000 characters of many bytes each. */
const usual: Allowance = { limit: megabyte, patience: 8 * megabyte }
/** An address and a password. */
const account: Allowance = { limit: 64 * kilobyte, patience: 8 * megabyte }
/** A photo in base64, and the rest of its post. */
const photoLimit = Math.ceil((uploadMaxBytes * 4) / 3) + usual.limit
const photo: Allowance = { limit: photoLimit, patience: 2 * photoLimit }

/**
 * Bounds what a request may send, and reads it before anything else does: what nobody reads, because a request is
 * refused for another reason, would stand in the connection. More than the usual is taken only where photos are, and
 * only from users who are signed in.
 *
 * @throws AppError `too_large`, or `not_signed_in` for more than the usual
 */
export function limitBody(authenticator: Pick<Authenticator, 'authenticate'>): MiddlewareHandler {
  return async (c, next) => {
    // Such a request has no body, and to look for one takes longer than most answers.
    if (isSafeMethod(c.req.method)) return next()
    const { body, headers } = c.req.raw
    if (body) {
      const { limit, patience } = allowanceOf(c.req.path)
      // A length that is not told may be any.
      const length = headers.has('transfer-encoding') ? null : Number(headers.get('content-length') ?? 0)
      try {
        if (length !== null && length > limit) throw tooLarge()
        if (limit > usual.limit && (length ?? limit) > usual.limit)
          await requireViewer(authenticator, headers)
      } catch (refusal) {
        await discard(c, body, patience, length)
        throw refusal
      }
      c.req.raw = withBody(c.req.raw, await readWhole(c, body, limit, patience))
    }
    await next()
  }
}

function allowanceOf(path: string): Allowance {
  if (path === '/api/v1/post' || /^\/trpc\/(?:.*,)?posts\.create(?:,|$)/.test(path)) return photo
  return path.startsWith('/api/auth/') ? account : usual
}

async function requireViewer(
  authenticator: Pick<Authenticator, 'authenticate'>,
  headers: Headers,
): Promise<void> {
  const viewer = await authenticator.authenticate(readCredentials(headers))
  if (!viewer) throw new AppError('not_signed_in')
}

function tooLarge(): AppError {
  return new AppError('too_large')
}

function withBody(request: Request, body: Blob): Request {
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body })
}

/** Reads a body that may have `limit` bytes, or, if it has more, as much of it as there is patience for. */
async function readWhole(
  c: Context,
  body: ReadableStream<Uint8Array>,
  limit: number,
  patience: number,
): Promise<Blob> {
  const kept: Uint8Array<ArrayBuffer>[] = []
  const size = await readParts(body, patience, (part, read) => {
    if (read <= limit) kept.push(new Uint8Array(part))
    else kept.length = 0
  })
  if (size <= limit) return new Blob(kept)
  endConnectionBeyond(c, patience, size)
  throw tooLarge()
}

/** Reads as much of a refused body as there is patience for; nothing of one that says itself that it is longer. */
async function discard(
  c: Context,
  body: ReadableStream<Uint8Array>,
  patience: number,
  length: number | null,
): Promise<void> {
  const isHopeless = length !== null && length > patience
  endConnectionBeyond(c, patience, isHopeless ? length : await readParts(body, patience, () => {}))
}

/** Hands on the parts of a body with the bytes read so far, until there are none or more than `most` were read. */
async function readParts(
  body: ReadableStream<Uint8Array>,
  most: number,
  take: (part: Uint8Array, read: number) => void,
): Promise<number> {
  let size = 0
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done && size <= most; part = await reader.read()) {
    size += part.value.length
    take(part.value, size)
  }
  return size
}

/** What was not read is still in the connection, so nothing else can come over it. */
function endConnectionBeyond(c: Context, patience: number, size: number): void {
  if (size > patience) c.header('Connection', 'close')
}
