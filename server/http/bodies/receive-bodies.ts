import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { uploadMaxBytes } from '../../../shared/limits.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { readCredentials } from '../../access/authenticator.ts'
import { AppError } from '../../errors/app-error.ts'
import { countRejectedUpload } from '../../images/upload-image.ts'
import { largeBodyBytes, type BodyReservation } from '../../rate-limits/body-budget.ts'
import type { Services } from '../../trpc/context.ts'
import { isSafeMethod } from '../middleware/csrf.ts'
import { parseForm } from '../../formats/form.ts'
import { parseLargeJson } from './parse-json.ts'
import { ReceivedRequest } from './received-request.ts'

interface BodyLimit {
  readonly maxBytes: number
  /**
   * Maximum of a rejected body that is read and discarded, as most clients read the response only after sending everything.
   * Larger than any body sent by mistake.
   */
  readonly maxDiscardedBytes: number
}

const megabyte = 1024 * 1024

/** Fits a prompt of 4,000 characters of many bytes each. */
const defaultLimit: BodyLimit = { maxBytes: largeBodyBytes, maxDiscardedBytes: 8 * megabyte }
/** Fits an email address and a password. */
const accountLimit: BodyLimit = { maxBytes: 64 * 1024, maxDiscardedBytes: 8 * megabyte }
/** Fits an image in base64 and the other fields of its post. */
const maxPhotoBytes = Math.ceil((uploadMaxBytes * 4) / 3) + defaultLimit.maxBytes
const photoLimit: BodyLimit = { maxBytes: maxPhotoBytes, maxDiscardedBytes: 2 * maxPhotoBytes }
/** Fits the images of an edit, as files or as base64 in JSON. */
const editLimit: BodyLimit = { maxBytes: 50 * megabyte, maxDiscardedBytes: 100 * megabyte }

const editPath = '/v1/images/edits'
const uploadPath = '/trpc/images.upload'

/** Memory that is reserved at first for a body without a declared length; doubled as the body grows. */
const chunkedStartBytes = 64 * 1024

/** What a body contains, as its handler reads it. */
type BodyKind = 'form' | 'bytes' | 'json'

type BodyServices = Pick<
  Services,
  'authenticator' | 'bodyBudget' | 'writeLimits' | 'db' | 'now' | 'dailyUploadLimit' | 'readOptions'
>

/**
 * Receives request bodies before the handler runs: a body that no handler reads would block the connection. Memory is reserved
 * before it is used, and until the body was handled. Large bodies are accepted only on routes that take images, from signed-in
 * users, of whose writes they count; one that is no readable form or JSON counts as an upload.
 *
 * Unlike `hono/body-limit`, reads a rejected body, so that the client gets the response.
 *
 * @see docs/contributing/decisions/0019-input-limits.md
 * @throws AppError `too_large`, `too_many_unfinished`, `busy`; for a large body also `not_signed_in`, `rate_limited`, `bad_input`
 *   and `upload_limit`
 */
export function receiveBodies(
  services: BodyServices,
  clientNetwork: (c: Context) => string,
): MiddlewareHandler {
  return async (c, next) => {
    // Accessing `body` of a bodyless request takes longer than most responses.
    const body = isSafeMethod(c.req.method) ? null : c.req.raw.body
    if (!body) return next()
    const limit = limitOf(c.req.path)
    const declaredBytes = declaredBytesOf(c.req.raw.headers)
    let received: Received | undefined
    try {
      received = await admit(services, c, limit, declaredBytes, clientNetwork)
    } catch (error) {
      await discard(c, body, limit, declaredBytes)
      throw error
    }
    const { reservation } = received
    c.set(reservationKey, reservation)
    try {
      const bytes = await receive(c, body, received, limit)
      c.req.raw = await toRequest(services, c.req.raw, received, bytes)
      await next()
    } finally {
      if (isStream(c.res)) (c.env as HttpBindings).outgoing.once('close', reservation.release)
      else reservation.release()
    }
  }
}

/** A body that may be received. */
interface Received {
  readonly kind: BodyKind
  /** User who sends a large body; null for any other. */
  readonly sender: Viewer | null
  readonly reservation: BodyReservation
  /** Bytes of memory that are taken per byte of the body. */
  readonly weight: number
  readonly declaredBytes: number | null
}

/** Authenticates and counts a body before anything of it is read, and reserves its memory. */
async function admit(
  { authenticator, writeLimits, bodyBudget }: BodyServices,
  c: Context,
  { maxBytes }: BodyLimit,
  declaredBytes: number | null,
  clientNetwork: (c: Context) => string,
): Promise<Received> {
  if (declaredBytes !== null && declaredBytes > maxBytes) throw new AppError('too_large')
  let sender: Viewer | null = null
  if (maxBytes > largeBodyBytes && (declaredBytes ?? maxBytes) > largeBodyBytes) {
    const identity = await authenticator.authenticate(readCredentials(c.req.raw.headers))
    if (!identity) throw new AppError('not_signed_in')
    sender = identity.viewer
    await writeLimits.perUser.consume(sender.id)
  }
  const kind = kindOf(c)
  // The values of JSON are in memory besides its text.
  const weight = kind === 'json' ? 2 : 1
  const reservation = bodyBudget.begin(sender ? { userId: sender.id } : { network: clientNetwork(c) })
  reservation.reserve((declaredBytes ?? chunkedStartBytes) * weight)
  return { kind, sender, reservation, weight, declaredBytes }
}

function kindOf({ req }: Context): BodyKind {
  const type = req.header('content-type') ?? ''
  if (req.path !== uploadPath && req.path !== editPath) return 'json'
  if (/^multipart\/form-data *;/i.test(type)) return 'form'
  return req.path === uploadPath && type.startsWith('application/octet-stream') ? 'bytes' : 'json'
}

async function toRequest(
  services: BodyServices,
  request: Request,
  { kind, sender }: Received,
  bytes: Buffer,
): Promise<Request> {
  const isUpload = new URL(request.url).pathname === uploadPath
  const type = request.headers.get('content-type') ?? ''
  if (sender === null || bytes.length <= largeBodyBytes || kind === 'bytes')
    return new ReceivedRequest(request, bytes, { formType: isUpload && kind === 'form' ? type : null })
  try {
    if (kind === 'json') return new ReceivedRequest(request, null, { json: await parseLargeJson(bytes) })
  } catch (cause) {
    await countRejectedUpload(services, sender)
    throw new AppError('bad_input', 'The request is not readable JSON.', { cause })
  }
  if (parseForm(bytes, type) === null) {
    await countRejectedUpload(services, sender)
    throw new AppError('bad_input', 'The request is not a readable form.')
  }
  return new ReceivedRequest(request, bytes, { formType: isUpload ? type : null })
}

/** Context variable with the reservation of the body of a request. */
const reservationKey = 'bodyReservation'

/** tRPC returns a stream of results before its calls have ended. */
function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/jsonl') ?? false
}

/**
 * Drops the body of a request, which the request keeps after it was read, so that the user can send another one. For handlers
 * that go on without it: generations may wait for hours.
 */
export function releaseBody(c: Context): void {
  const { url, method, headers, signal } = c.req.raw
  c.req.raw = new Request(url, { method, headers, signal })
  const reservation = c.get(reservationKey) as BodyReservation | undefined
  reservation?.release()
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
  if (path === editPath) return editLimit
  return path.startsWith('/api/auth/') ? accountLimit : defaultLimit
}

/**
 * Reads a body into memory that is reserved before it is used.
 *
 * @throws AppError `too_large`, `too_many_unfinished` or `busy`, after reading up to `maxDiscardedBytes`
 */
async function receive(
  c: Context,
  body: ReadableStream<Uint8Array>,
  { declaredBytes, reservation, weight }: Received,
  { maxBytes, maxDiscardedBytes }: BodyLimit,
): Promise<Buffer> {
  let received = Buffer.allocUnsafeSlow(declaredBytes ?? chunkedStartBytes)
  let rejection: unknown
  const bytesRead = await readChunks(body, maxDiscardedBytes, (chunk, bytesSoFar) => {
    if (rejection !== undefined) return
    try {
      if (bytesSoFar > maxBytes) throw new AppError('too_large')
      if (bytesSoFar > received.length) {
        const capacity = Math.min(Math.max(2 * received.length, bytesSoFar), maxBytes)
        reservation.reserve(capacity * weight)
        const grown = Buffer.allocUnsafeSlow(capacity)
        received.copy(grown)
        received = grown
      }
      received.set(chunk, bytesSoFar - chunk.length)
    } catch (error) {
      rejection = error
      received = Buffer.of()
      reservation.release()
    }
  })
  if (rejection === undefined) return received.subarray(0, bytesRead)
  closeConnectionAbove(c, maxDiscardedBytes, bytesRead)
  throw rejection
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
    // Other requests get a turn, however fast many bodies arrive.
    await nextTurn()
  }
  return bytesSoFar
}

/** Closes the connection if part of the body is still unread: the next request could not be read from it. */
function closeConnectionAbove(c: Context, maxBytes: number, bytes: number): void {
  if (bytes > maxBytes) c.header('Connection', 'close')
}
