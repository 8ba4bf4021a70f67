import { connectionError, EngineError, type StatusError, statusError } from './engine-error.ts'
import { type EngineCall, type EngineServer, openCall, readBytes, withTimeout } from './engine-http.ts'

/** Timeout of requests that a server answers from memory, in milliseconds. */
const requestTimeoutMs = 30_000

/** Timeout of requests that transfer an image, in milliseconds. */
export const transferTimeoutMs = 120_000

/** Timeout of canceling a job, in milliseconds: the user waits for it. */
export const cancelTimeoutMs = 5_000

/** Time that a canceled generation waits for a pending submission, in milliseconds. */
export const submissionWaitMs = 5_000

interface RequestOptions extends Omit<EngineCall, 'path' | 'signal'> {
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** Statuses that are no errors; 200 by default. */
  readonly expected?: readonly number[]
}

/** Address of a server, and headers of each request. */
export interface EngineAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** HTTP client of a server with a queue of jobs. Its methods throw EngineError, or the reason of an aborted signal. */
export class EngineClient {
  readonly server: EngineServer
  readonly #statusErrors: readonly StatusError[]
  readonly #maxBytes: number

  /** @param maxBytes maximum size of a response, unless a call has its own */
  constructor(
    { url, headers }: EngineAddress,
    { api, maxBytes }: { readonly api: string; readonly maxBytes: number },
  ) {
    const base = new URL(url)
    const secrets = [...Object.values(headers), ...base.searchParams.values()].filter(Boolean)
    this.server = { base, headers: { 'user-agent': 'Rangoli', ...headers }, secrets }
    this.#statusErrors = statusErrorsOf(api)
    this.#maxBytes = maxBytes
  }

  /** Address without a query: the same for all engines of a server. */
  get serverKey(): string {
    const { origin, pathname } = this.server.base
    return origin + pathname.replace(/\/+$/, '')
  }

  protected async request(
    path: string,
    signal: AbortSignal,
    {
      timeoutMs = requestTimeoutMs,
      expected = [200],
      maxBytes = this.#maxBytes,
      ...call
    }: RequestOptions = {},
  ): Promise<{ status: number; body: Buffer }> {
    return withTimeout(timeoutMs, signal, async (limited) => {
      try {
        const incoming = await openCall(this.server, { path, signal: limited, ...call })
        const { statusCode: status = 0 } = incoming
        const body = await readBytes(incoming, maxBytes)
        if (!expected.includes(status)) throw statusError(status, this.#statusErrors)
        return { status, body }
      } catch (error) {
        if (error instanceof EngineError) throw error
        const { code, message, facts } = connectionError(error)
        // Also one that was lost: the server may have been restarted, and goes on with its jobs.
        const isPersistent = code === 'engine_misconfigured'
        throw new EngineError(isPersistent ? code : 'engine_unavailable', message, facts)
      }
    })
  }
}

function statusErrorsOf(api: string): readonly StatusError[] {
  return [
    [/^2/, 'engine_failed', 'the server sent an unexpected response'],
    [/^3/, 'engine_misconfigured', 'the server redirects: set url to the final address'],
    [/^40[13]/, 'engine_misconfigured', 'the server denies access: check headers'],
    [/^40[45]/, 'engine_misconfigured', `there is no ${api} API at this address: check url`],
    [/^413/, 'engine_failed', 'the reference image is too large', 'The reference image is too large.'],
    [/^429/, 'engine_busy', 'too many requests'],
    [/^50[234]/, 'engine_unavailable', 'a proxy does not reach the server'],
  ]
}

export function unexpectedResponse(): EngineError {
  return new EngineError('engine_failed', 'the server sent an unexpected response')
}
