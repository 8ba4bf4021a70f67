import type { Socket } from 'node:net'
import type { Automatic1111EngineConfig } from '../../config/engine-section.ts'
import type { AppError } from '../../errors/app-error.ts'
import { connectionError, EngineError, type EngineErrorCode, toAppError } from '../engine-error.ts'
import { openRequest } from '../../network/open-request.ts'
import { isRecord, jsonMaxBytes, parseJson, readBytes, readErrorText, withTimeout } from '../engine-http.ts'

/** Timeout of requests that the server answers at once, in milliseconds. A busy graphics card delays them. */
const shortTimeoutMs = 10_000

/** Maximum size of other responses than images, in bytes. A list of models may be long, and a preview is an image. */
const shortMaxBytes = 12_000_000

/** Client of one server with the API of AUTOMATIC1111. Sends the credentials with every request. */
export class Automatic1111Client {
  /** Normalized URL of the server, to which the paths of its API are appended. */
  readonly url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #secrets: readonly string[]

  constructor({
    url,
    username,
    password,
    headers,
  }: Pick<Automatic1111EngineConfig, 'url' | 'username' | 'password' | 'headers'>) {
    this.url = normalizeUrl(url)
    const credentials =
      username === null ? null : Buffer.from(`${username}:${password ?? ''}`).toString('base64')
    this.#headers = {
      ...(credentials !== null && { authorization: `Basic ${credentials}` }),
      ...lowerCaseNames(headers),
    }
    this.#secrets = [...(password ? [password] : []), ...Object.values(this.#headers)].filter(Boolean)
  }

  /** @throws EngineError if the server does not respond with JSON within ten seconds, or with an error */
  get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#requestShortly(path, null, signal)
  }

  /** @throws EngineError if the server does not respond within ten seconds, or with an error */
  post(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    return this.#requestShortly(path, body, signal)
  }

  /** Sends a request that the server answers when its image is done, after minutes. */
  call(path: string, body: object): Call {
    return new Call((signal, onSocket) =>
      this.#request(path, body, { signal, maxBytes: jsonMaxBytes, onSocket }),
    )
  }

  /** Creates the error that the engine throws. */
  toAppError(thrown: unknown): AppError {
    const error = thrown instanceof EngineError ? thrown : connectionError(thrown)
    return toAppError(error, new URL(this.url), this.#secrets)
  }

  #requestShortly(path: string, body: object | null, signal: AbortSignal): Promise<unknown> {
    return withTimeout(shortTimeoutMs, signal, (limited) =>
      this.#request(path, body, { signal: limited, maxBytes: shortMaxBytes }),
    )
  }

  /** @returns the parsed body; null for an empty one */
  async #request(
    path: string,
    body: object | null,
    { signal, maxBytes, onSocket }: RequestLimits,
  ): Promise<unknown> {
    const incoming = await openRequest({
      url: new URL(this.url + path),
      method: body === null ? 'GET' : 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...this.#headers },
      ...(body !== null && { body: JSON.stringify(body) }),
      signal,
      ...(onSocket && { onSocket }),
    })
    const { statusCode: status = 0 } = incoming
    if (status < 200 || status >= 300) {
      const text = await readErrorText(incoming)
      throw responseError(status, parseJson(text) ?? text)
    }
    const text = (await readBytes(incoming, maxBytes)).toString()
    const parsed = text.trim() === '' ? null : parseJson(text)
    if (parsed !== undefined) return parsed
    throw new EngineError(
      'engine_misconfigured',
      "the response is not JSON: set `url` to the address of the server's API, without a path of its web page",
      { status },
    )
  }
}

interface RequestLimits {
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly onSocket?: (socket: Socket) => void
}

/** A request for an image that the server has not answered yet. */
export class Call {
  /** Parsed response. */
  readonly response: Promise<unknown>
  /** Resolves when the call has ended, also with an error. */
  readonly ended: Promise<void>
  readonly #connection = new AbortController()
  #socket: Socket | null = null
  #isOpen = true

  constructor(send: (signal: AbortSignal, onSocket: (socket: Socket) => void) => Promise<unknown>) {
    this.response = send(this.#connection.signal, (socket) => (this.#socket = socket))
    const end = () => void (this.#isOpen = false)
    this.ended = this.response.then(end, end)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Lets the process end while the call is open. */
  unref(): void {
    this.#socket?.unref()
  }

  /** Closes the connection. Most servers go on with the image nevertheless. */
  close(): void {
    this.#connection.abort()
  }
}

/** Removes what does not identify the server, and the path of the API, which is added to every request. */
function normalizeUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '').replace(/\/sdapi(\/v1)?$/, '')
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

const outOfMemory = /out ?of ?memory|failed to allocate|ALLOC_FAILED|not enough (memory|VRAM)/i

/** Creates the error for an error response. Never repeats its text, which may contain a prompt or a path. */
function responseError(status: number, body: unknown): EngineError {
  const text = errorText(body)
  const providerCode = errorName(body)
  const error = (code: EngineErrorCode, message: string) =>
    new EngineError(code, message, { status, providerCode })
  if (outOfMemory.test(`${providerCode ?? ''} ${text}`)) {
    return error('engine_out_of_memory', 'the server is out of memory')
  }
  if (status === 401 || status === 403) {
    return error(
      'engine_misconfigured',
      'the server rejects the credentials: check `username`, `password` and `headers`',
    )
  }
  if (status >= 300 && status < 400) {
    return error('engine_misconfigured', 'the server redirects: set `url` to the final address')
  }
  if (/sampler not found/i.test(text)) {
    return error('engine_misconfigured', 'the server does not know `sampler`')
  }
  if (status === 404 || status === 405) return noApi(status, providerCode)
  if (status === 422) return error('engine_misconfigured', 'the server rejects the settings of the request')
  if (status === 408 || status === 504) {
    return error('engine_timeout', 'the server, or a proxy in front of it, gave up waiting')
  }
  if (status === 429 || status === 503) return error('engine_busy', 'the server is busy')
  if (status === 502) return error('engine_unavailable', 'the server is down behind its proxy')
  return error('engine_failed', 'the server responded with an error')
}

/** Creates the error for a server without the API. */
export function noApi(status: number, providerCode?: string): EngineError {
  return new EngineError(
    'engine_misconfigured',
    'the server has no API at this address: check `url`, and start AUTOMATIC1111 and Forge with --api',
    { status, providerCode },
  )
}

/** Finds the text of an error: `errors`, `message`, or `detail` in FastAPI's forms; koboldcpp has `detail.msg`. */
function errorText(body: unknown): string {
  if (typeof body === 'string') return body
  if (!isRecord(body)) return ''
  const { errors, message, error, detail } = body
  const first: unknown = Array.isArray(detail) ? detail[0] : detail
  const nested = isRecord(first) ? first['msg'] : first
  return [errors, message, nested, error].filter((text) => typeof text === 'string').join(' ')
}

/** Name of the server's error, such as OutOfMemoryError; the log omits what is no identifier. */
function errorName(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  const { error, detail } = body
  const name = isRecord(detail) ? detail['type'] : error
  return typeof name === 'string' ? name : undefined
}
