import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { photoMaxBytes } from '../../shared/limits.ts'
import { AppError } from '../errors/app-error.ts'

/** Ample for a prompt of 4,000 characters of many bytes each. */
const usualLimit = 1024 * 1024
/** A photo in base64, and the rest of its post. */
const photoLimit = Math.ceil((photoMaxBytes * 4) / 3) + usualLimit

const refuse = (c: Context): never => {
  // The rest of the body is not read, so nothing else can come over this connection.
  c.header('Connection', 'close')
  throw new AppError('too_large', 'The request is too large.')
}
const limitUsual = bodyLimit({ maxSize: usualLimit, onError: refuse })
const limitPhoto = bodyLimit({ maxSize: photoLimit, onError: refuse })

/** Bounds what a request may send, before anything reads it. */
export const limitBody: MiddlewareHandler = (c, next) => {
  const takesPhoto = c.req.path === '/api/v1/post' || /^\/trpc\/(?:.*,)?posts\.create(?:,|$)/.test(c.req.path)
  return takesPhoto ? limitPhoto(c, next) : limitUsual(c, next)
}
