import type { Socket } from 'node:net'
import type { EngineConfig } from '../../config/engine-section.ts'
import { EngineError, statusError, type StatusError } from '../engine-error.ts'
import {
  type EngineCall,
  type EngineServer,
  fieldsOf,
  isRecord,
  jsonMaxBytes,
  openCall,
  parseJson,
  readBytes,
  readErrorText,
  withTimeout,
} from '../engine-http.ts'

/** Timeout of requests that the server answers at once, in milliseconds. A busy graphics card delays them. */
const shortTimeoutMs = 10_000

/** Maximum size of other responses than images, in bytes. A list of models may be long, and a preview is an image. */
const shortMaxBytes = 12_000_000

type RequestOptions = Pick<EngineCall, 'query' | 'json'> & {
  /** True for a response that may be as long as one with an image. */
  readonly isLong?: boolean
}

/** Client of one server with the API of AUTOMATIC1111. Sends the credentials with every request. */
export class Automatic1111Client {
  readonly server: EngineServer

  constructor({ url, username, password, headers }: EngineConfig<'automatic1111'>) {
    const credentials =
      username === null ? null : Buffer.from(`${username}:${password ?? ''}`).toString('base64')
    const own = {
      ...(credentials !== null && { authorization: `Basic ${credentials}` }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    }
    const secrets = [password ?? '', ...Object.values(own)].filter(Boolean)
    this.server = {
      base: new URL(normalizeUrl(url)),
      headers: { accept: 'application/json', ...own },
      secrets,
    }
  }

  /** Address that identifies the server. */
  get url(): string {
    return this.server.base.href.replace(/\/$/, '')
  }

  /** @throws EngineError if the server does not respond with JSON within ten seconds, or with an error */
  request(
    path: string,
    signal: AbortSignal,
    { isLong = false, ...options }: RequestOptions = {},
  ): Promise<unknown> {
    return withTimeout(shortTimeoutMs, signal, (limited) =>
      this.#read({ path, signal: limited, ...options }, isLong ? jsonMaxBytes : shortMaxBytes),
    )
  }

  /** Like `request`; null if the server responds with an error, as one that does not have a function does. */
  async find(path: string, signal: AbortSignal, options: RequestOptions = {}): Promise<unknown> {
    try {
      return await this.request(path, signal, options)
    } catch (error) {
      if (error instanceof EngineError && error.facts.status !== undefined) return null
      throw error
    }
  }

  /** Sends a request that the server answers when its image is done, after minutes. */
  call(path: string, json: object): Call {
    return new Call((options) => this.#read({ path, json, ...options }, jsonMaxBytes))
  }

  /** @returns the parsed body; null for an empty one */
  async #read(call: EngineCall, maxBytes: number): Promise<unknown> {
    const incoming = await openCall(this.server, call)
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

/** A request for an image that the server has not answered yet. */
export class Call {
  isOpen = true
  readonly response: Promise<unknown>
  /** Resolves when the call has ended, also with an error. */
  readonly ended: Promise<void>
  readonly #connection = new AbortController()
  #socket: Socket | null = null

  constructor(send: (options: Pick<EngineCall, 'signal' | 'onSocket'>) => Promise<unknown>) {
    const { signal } = this.#connection
    this.response = send({ signal, onSocket: (socket) => (this.#socket = socket) })
    const end = () => void (this.isOpen = false)
    this.ended = this.response.then(end, end)
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

const outOfMemory = /out ?of ?memory|failed to allocate|ALLOC_FAILED|not enough (memory|VRAM)/i

const statusErrors: readonly StatusError[] = [
  [
    /^40[13]/,
    'engine_misconfigured',
    'the server rejects the credentials: check `username`, `password` and `headers`',
  ],
  [/^3/, 'engine_misconfigured', 'the server redirects: set `url` to the final address'],
  [
    /^40[45]/,
    'engine_misconfigured',
    'the server has no API at this address: check `url`, and start AUTOMATIC1111 and Forge with --api',
  ],
  [/^422/, 'engine_misconfigured', 'the server rejects the settings of the request'],
  [/^(408|504)/, 'engine_timeout', 'the server, or a proxy in front of it, gave up waiting'],
  [/^(429|503)/, 'engine_busy', 'the server is busy'],
  [/^502/, 'engine_unavailable', 'the server is down behind its proxy'],
]

/** Creates the error for an error response. Never repeats its text, which may contain a prompt or a path. */
export function responseError(status: number, body: unknown): EngineError {
  const text = errorText(body)
  const providerCode = errorName(body)
  if (outOfMemory.test(`${providerCode ?? ''} ${text}`)) {
    return new EngineError('engine_out_of_memory', 'the server is out of memory', { status, providerCode })
  }
  if (/sampler not found/i.test(text)) {
    const reason = 'the server does not know `sampler`'
    return new EngineError('engine_misconfigured', reason, { status, providerCode })
  }
  return statusError(status, statusErrors, providerCode)
}

/** Finds the text of an error: `errors`, `message`, or `detail` in FastAPI's forms; koboldcpp has `detail.msg`. */
function errorText(body: unknown): string {
  if (typeof body === 'string') return body
  const { errors, message, error, detail } = fieldsOf(body)
  const first: unknown = Array.isArray(detail) ? detail[0] : detail
  const nested = isRecord(first) ? first['msg'] : first
  return [errors, message, nested, error].filter((text) => typeof text === 'string').join(' ')
}

/** Name of the server's error, such as OutOfMemoryError; the log omits what is no identifier. */
function errorName(body: unknown): string | undefined {
  const { error, detail } = fieldsOf(body)
  const name = isRecord(detail) ? detail['type'] : error
  return typeof name === 'string' ? name : undefined
}
