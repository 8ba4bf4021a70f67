import type { Context, MiddlewareHandler } from 'hono'
import { photoMaxBytes } from '../../shared/limits.ts'
import { AppError } from '../errors/app-error.ts'

/** Ample for a prompt of 4,000 characters of many bytes each. */
const usualLimit = 1024 * 1024
/** A photo in base64, and the rest of its post. */
const photoLimit = Math.ceil((photoMaxBytes * 4) / 3) + usualLimit

/** How much of a refused body is read and thrown away, as most clients listen only when they have sent everything. */
const patience = 128 * 1024 * 1024

/**
 * Bounds what a request may send, before anything reads it.
 *
 * @throws AppError `too_large`
 */
export const limitBody: MiddlewareHandler = async (c, next) => {
  const { body, headers } = c.req.raw
  if (body) {
    const limit = limitFor(c.req.path)
    const length = headers.has('transfer-encoding') ? null : Number(headers.get('content-length') ?? 0)
    if (length === null) c.req.raw = withBody(c.req.raw, await readWhole(c, body, limit))
    else if (length > limit) await readWhole(c, body, 0)
  }
  await next()
}

function withBody(request: Request, body: Blob): Request {
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body })
}

function limitFor(path: string): number {
  const takesPhoto = path === '/api/v1/post' || /^\/trpc\/(?:.*,)?posts\.create(?:,|$)/.test(path)
  return takesPhoto ? photoLimit : usualLimit
}

/** Reads a body that may have `limit` bytes, or, if it has more, as much of it as there is patience for. */
async function readWhole(c: Context, body: ReadableStream<Uint8Array>, limit: number): Promise<Blob> {
  const kept: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done && size <= patience; part = await reader.read()) {
    size += part.value.length
    if (size <= limit) kept.push(new Uint8Array(part.value))
    else kept.length = 0
  }
  if (size <= limit) return new Blob(kept)
  // What was not read is still in the connection, so nothing else can come over it.
  if (size > patience) c.header('Connection', 'close')
  throw new AppError('too_large', 'The request is too large.')
}
