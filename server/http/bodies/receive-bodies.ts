import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { tryDecode } from 'hono/utils/url'
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
import { uploadExpected } from '../../procedures/inputs.ts'

const megabyte = 1024 * 1024

/** Maximum bytes of bodies. The default fits a prompt of 4,000 characters of many bytes each. */
const maxBytesOf = {
  default: largeBodyBytes,
  /** Fits an email address and a password. */
  account: 64 * 1024,
  /** Fits an image in base64 and the other fields of its post. */
  photo: Math.ceil((uploadMaxBytes * 4) / 3) + largeBodyBytes,
  /** Fits the images of an edit, as files or as base64 in JSON. */
  edit: 50 * megabyte,
}

const editPath = '/v1/images/edits'
/** Takes images of visitors, too. */
const verifyPath = '/trpc/posts.verify'

/** Paths of bodies that are a file, or a form with one. */
const filePaths: ReadonlySet<string> = new Set([
  '/trpc/images.upload',
  '/trpc/images.uploadForEdit',
  verifyPath,
])

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
 * users, of whose writes they count, and as files to verify, which count by client network; one that is no readable form or
 * JSON counts as an upload.
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
  const { authenticator, writeLimits } = services

  /** Authenticates and counts a large body, or a file to verify, before anything of it is read. @returns its sender; null for any other body */
  async function authenticate(
    c: Context,
    path: string,
    { maxBytes, declaredBytes }: IncomingBody,
  ): Promise<Viewer | null> {
    if (declaredBytes !== null && declaredBytes > maxBytes) throw new AppError('too_large')
    if (path === verifyPath) await writeLimits.verifications.consume(clientNetwork(c))
    if (Math.min(declaredBytes ?? maxBytes, maxBytes) <= largeBodyBytes) return null
    const identity = await authenticator.authenticate(readCredentials(c.req.raw.headers))
    if (!identity) {
      if (path === verifyPath) return null
      throw new AppError('not_signed_in')
    }
    await writeLimits.perUser.consume(identity.viewer.id)
    return identity.viewer
  }

  async function toRequest(
    request: Request,
    path: string,
    kind: BodyKind,
    sender: Viewer | null,
    bytes: Buffer,
  ): Promise<Request> {
    const isLarge = bytes.length > largeBodyBytes
    const isUploadForm = kind === 'form' && filePaths.has(path)
    if (kind === 'bytes' || (!isLarge && !isUploadForm)) return new ReceivedRequest(request, bytes)
    try {
      if (kind === 'json') return new ReceivedRequest(request, null, await parseLargeJson(bytes))
      const parts = parseForm(bytes, request.headers.get('content-type') ?? '')
      if (!parts) throw new SyntaxError('Not a form')
      if (!isUploadForm) return new ReceivedRequest(request, bytes)
      const file = parts.find(({ name }) => name === 'file')
      if (!file?.isFile) throw new AppError('bad_input', uploadExpected)
      const received = new ReceivedRequest(request, file.bytes)
      received.headers.set('content-type', 'application/octet-stream')
      return received
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      if (isLarge && sender) await countRejectedUpload(services, sender)
      const expected = kind === 'json' ? 'not readable JSON' : 'not a readable form'
      throw new AppError('bad_input', `The request is ${expected}.`, { cause })
    }
  }

  return async (c, next) => {
    // Accessing `body` of a bodyless request takes longer than most responses.
    const body = isSafeMethod(c.req.method) ? null : c.req.raw.body
    if (!body) return next()
    const [path, network] = [pathOf(c), clientNetwork(c)]
    const incoming = new IncomingBody(c, body, limitOf(path))
    const sender = await incoming.orDiscard(() => authenticate(c, path, incoming))
    const owner = sender ? { userId: sender.id } : { network }
    const reservation = services.bodyBudget.begin(owner)
    c.set(reservationKey, reservation)
    try {
      const kind = kindOf(c, path)
      const bytes = await incoming.orDiscard(() => incoming.read(reservation, kind))
      c.req.raw = await toRequest(c.req.raw, path, kind, sender, bytes)
      await next()
    } finally {
      if (isStream(c.res)) (c.env as HttpBindings).outgoing.once('close', reservation.release)
      else reservation.release()
    }
  }
}

/** The path as tRPC reads it, for which `/trpc//posts.verify/` and `/trpc/posts%2Everify` are the same. */
function pathOf({ req }: Context): string {
  return `/${tryDecode(req.path, decodeURIComponent).split('/').filter(Boolean).join('/')}`
}

function kindOf({ req }: Context, path: string): BodyKind {
  const type = req.header('content-type') ?? ''
  if (!filePaths.has(path) && path !== editPath) return 'json'
  if (/^multipart\/form-data *;/i.test(type)) return 'form'
  return filePaths.has(path) && type.startsWith('application/octet-stream') ? 'bytes' : 'json'
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
  const { body } = c.req.raw
  if (body) await new IncomingBody(c, body, maxBytesOf.photo).discard()
}

function limitOf(path: string): number {
  if (
    path === '/api/v1/post' ||
    /^\/trpc\/(?:.*,)?(?:posts\.create|posts\.verify|images\.upload(?:ForEdit)?)(?:,|$)/.test(path)
  )
    return maxBytesOf.photo
  if (path === editPath) return maxBytesOf.edit
  return path.startsWith('/api/auth/') ? maxBytesOf.account : maxBytesOf.default
}

/** A body that arrives. */
class IncomingBody {
  readonly maxBytes: number
  /** Null for a body that is sent in chunks. */
  readonly declaredBytes: number | null
  readonly #context: Context
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #bytesRead = 0

  constructor(c: Context, body: ReadableStream<Uint8Array>, maxBytes: number) {
    const { headers } = c.req.raw
    this.maxBytes = maxBytes
    this.declaredBytes = headers.has('transfer-encoding') ? null : Number(headers.get('content-length') ?? 0)
    this.#context = c
    this.#reader = body.getReader()
  }

  /** Reads the body into memory that is reserved before it is used. @throws AppError `too_large`, `too_many_unfinished`, `busy` */
  async read(reservation: BodyReservation, kind: BodyKind): Promise<Buffer> {
    // The values of JSON are in memory besides its text.
    const reserve = (bytes: number) => reservation.reserve(kind === 'json' ? 2 * bytes : bytes)
    const { maxBytes, declaredBytes } = this
    reserve(declaredBytes ?? chunkedStartBytes)
    let received = Buffer.allocUnsafeSlow(declaredBytes ?? chunkedStartBytes)
    try {
      for (let chunk = await this.#next(); chunk; chunk = await this.#next()) {
        if (this.#bytesRead > maxBytes) throw new AppError('too_large')
        if (this.#bytesRead > received.length) {
          const capacity = Math.min(Math.max(2 * received.length, this.#bytesRead), maxBytes)
          reserve(capacity)
          const grown = Buffer.allocUnsafeSlow(capacity)
          received.copy(grown)
          received = grown
        }
        received.set(chunk, this.#bytesRead - chunk.length)
      }
      return received.subarray(0, this.#bytesRead)
    } catch (error) {
      reservation.release()
      throw error
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { value } = await this.#reader.read()
    this.#bytesRead += value?.length ?? 0
    // Other requests get a turn, however fast many bodies arrive.
    if (value) await nextTurn()
    return value
  }

  /** Does work, and discards the rest of the body if that rejects it. */
  async orDiscard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      await this.discard()
      throw error
    }
  }

  /**
   * Reads the rest, as most clients read the response only after sending everything, unless it is too long: then the next request
   * could not be read from the connection, which is closed.
   */
  async discard(): Promise<void> {
    // Larger than any body sent by mistake.
    const max = Math.max(8 * megabyte, 2 * this.maxBytes)
    const isTooLong = () => Math.max(this.declaredBytes ?? 0, this.#bytesRead) > max
    while (!isTooLong() && (await this.#next()));
    if (isTooLong()) this.#context.header('Connection', 'close')
  }
}

/** A request whose body was received. Its memory is neither copied nor kept once the body was read. */
class ReceivedRequest extends Request {
  readonly #json: unknown

  /**
   * @param bytes null for a body that was parsed
   * @param json what it was parsed to
   */
  constructor(request: Request, bytes: Buffer | null, json?: unknown) {
    const { url, method, headers, signal } = request
    let unread = bytes
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (unread && unread.length > 0) controller.enqueue(unread)
          unread = null
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    super(url, { method, headers, signal, body, duplex: 'half' } as RequestInit)
    this.#json = json
  }

  override json(): Promise<unknown> {
    return this.#json === undefined ? super.json() : Promise.resolve(this.#json)
  }
}
