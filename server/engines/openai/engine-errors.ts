import { APIError } from 'openai'
import type { ErrorCode } from '../../../shared/errors.ts'
import { AppError } from '../../errors/app-error.ts'

/** Error codes of this engine. */
export type EngineErrorCode = Extract<ErrorCode, `engine_${string}` | 'prompt_blocked'>

/**
 * Error that is safe to log: its message and facts are our own words and selected identifiers, never text from a provider or
 * the SDK, which may contain a key or a prompt.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode
  readonly facts: EngineErrorFacts

  constructor(code: EngineErrorCode, message: string, facts: EngineErrorFacts = {}) {
    super(message)
    this.code = code
    this.facts = facts
  }
}

/** Facts about a failed request. */
export interface EngineErrorFacts {
  readonly status?: number | undefined
  readonly providerCode?: string | undefined
  readonly providerType?: string | undefined
  readonly param?: string | undefined
  /** `input` if moderation blocked the prompt, `output` if it blocked the image. */
  readonly moderationStage?: string | undefined
  readonly requestId?: string | undefined
  /** System error code of a network error, such as ECONNRESET. */
  readonly networkError?: string | undefined
  /** Delay before the next request that the provider asks for. */
  readonly retryAfterMs?: number | undefined
}

/** Network errors that persist until the configuration is changed. */
const configurationErrors =
  /^(ENOTFOUND|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ERR_INVALID_)/

/** Converts any error of a request to an EngineError. */
export function toEngineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown
  if (thrown instanceof APIError && thrown.status !== undefined) {
    return providerError(thrown.status, readError(thrown.error), thrown.headers ?? new Headers())
  }
  const networkError = networkErrorOf(thrown)
  const code = configurationErrors.test(networkError) ? 'engine_misconfigured' : 'engine_failed'
  return new EngineError(code, 'the connection failed', { networkError })
}

/** Creates an error from an error response; `status` is undefined for an error within a stream. */
export function providerError(status: number | undefined, error: ErrorBody, headers: Headers): EngineError {
  return new EngineError(classifyError(status, error), 'the image service responded with an error', {
    status,
    providerCode: error.code,
    providerType: error.type,
    param: error.param,
    moderationStage: error.moderation_details?.moderation_stage,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers, Date.now()),
  })
}

/** Returns the system error code of a connection error, which Node and the SDK wrap in other errors. */
export function networkErrorOf(thrown: unknown): string {
  let error = thrown
  while (error instanceof Error) {
    if ('code' in error && typeof error.code === 'string') return error.code
    if (error.cause === undefined) return error.constructor.name
    error = error.cause
  }
  return typeof error
}

/** Error in OpenAI's form, the value of `error` in a response. */
export interface ErrorBody {
  readonly message?: string
  readonly code?: string
  readonly type?: string
  /** Name of the invalid parameter, or several. */
  readonly param?: string
  readonly moderation_details?: { readonly moderation_stage?: string }
}

/** Maximum length of a message; some servers send an HTML page. */
const messageMaxLength = 2_000

/** Parses the body of an error response in any known form; text that is not JSON becomes the message. */
export function readErrorBody(text: string): ErrorBody {
  return readError(parseJson(text) ?? text)
}

/**
 * Converts a parsed error to OpenAI's form. Other forms are a string in `error` (stable-diffusion.cpp, xAI), FastAPI's
 * `detail` as a string or an array (vLLM), and an error without a wrapper.
 */
export function readError(body: unknown): ErrorBody {
  if (typeof body === 'string') return { message: body.slice(0, messageMaxLength) }
  if (Array.isArray(body)) return readError(body[0])
  if (!isRecord(body)) return {}
  const { error, detail } = body
  if (typeof error === 'string') return pickErrorFields({ ...body, message: error })
  if (isRecord(error)) return pickErrorFields(error)
  if (typeof detail === 'string') return pickErrorFields({ ...body, message: detail })
  if (Array.isArray(detail)) return readValidationErrors(detail)
  if (isRecord(detail)) return readError(detail)
  return pickErrorFields(body)
}

/** Reads FastAPI's validation errors, which have a location such as `['body', 'size']`; omits the input that they repeat. */
function readValidationErrors(detail: unknown[]): ErrorBody {
  const errors = detail.filter(isRecord)
  const locations = errors.flatMap(({ loc }) => (Array.isArray(loc) ? [loc.at(-1)] : []))
  return pickErrorFields({
    message: errors.map(({ msg }) => String(msg)).join(' '),
    param: locations.join(' '),
  })
}

function pickErrorFields(fields: Record<string, unknown>): ErrorBody {
  const { message, code, type, param, moderation_details: moderation } = fields
  const stage = isRecord(moderation) ? moderation['moderation_stage'] : undefined
  return {
    ...(typeof message === 'string' && { message: message.slice(0, messageMaxLength) }),
    ...(typeof code === 'string' && { code }),
    ...(typeof type === 'string' && { type }),
    ...(typeof param === 'string' && { param }),
    ...(typeof stage === 'string' && { moderation_details: { moderation_stage: stage } }),
  }
}

const moderationNames =
  /moderation_blocked|content_?(policy|filter)|responsible_?ai_?policy|safety_violation/i
const moderationWords =
  /content ?policy|content moderation|content filter|safety system|usage guidelines|moderation_blocked/i

const creditNames = /insufficient_(quota|credit|fund|balance)|billing|quota_exceeded|payment_required/i
const creditWords =
  /exceeded your current quota|out of credit|available credits|spending limit|insufficient (quota|credit|fund|balance)/i

const rateLimitNames = /rate_?limit|too_many_requests/i
const configurationNames =
  /model_not_found|invalid_?model|invalid_api_key|authentication|permission|unsupported_country|not_found/i
const timeoutNames = /timeout|timed_out/i

/**
 * Classifies a provider's error. Code and type take precedence over the status: a 400 may be a blocked prompt or a billing
 * limit, and an error within a stream has no status. The message counts only without a meaningful code.
 */
function classifyError(status: number | undefined, error: ErrorBody): EngineErrorCode {
  const names = `${error.code ?? ''} ${error.type ?? ''}`
  const message = hasMeaningfulCode(error) ? '' : (error.message ?? '')
  if (moderationNames.test(names) || moderationWords.test(message)) return 'prompt_blocked'
  if (creditNames.test(names) || creditWords.test(message) || status === 402) return 'engine_out_of_credit'
  if (status === 429 || rateLimitNames.test(names)) return 'engine_busy'
  if (status === undefined) return classifyNames(names)
  if (status === 408 || status === 504) return 'engine_timeout'
  if ((status >= 300 && status < 400) || [401, 403, 404, 405].includes(status)) return 'engine_misconfigured'
  return status < 500 ? classifyNames(names) : 'engine_failed'
}

function classifyNames(names: string): EngineErrorCode {
  if (configurationNames.test(names)) return 'engine_misconfigured'
  return timeoutNames.test(names) ? 'engine_timeout' : 'engine_failed'
}

/** Returns true if the code is an identifier. Gateways repeat the status as the code, and xAI sends a sentence. */
function hasMeaningfulCode(error: ErrorBody): boolean {
  return /^(?!none$|null$)[a-z][\w.-]*$/i.test(error.code ?? '')
}

/**
 * Parses `retry-after-ms`, or `retry-after` in seconds or as a date.
 *
 * @param now current time in milliseconds since the epoch
 * @returns delay in milliseconds; undefined without a valid header
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = parseNumber(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const text = headers.get('retry-after')
  const seconds = parseNumber(text)
  if (seconds !== undefined) return seconds * 1_000
  // Date.parse accepts almost any text.
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function parseNumber(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

/** Returns instructions for operators to fix the cause of an error, for the log; null if they cannot fix it. */
export function fixFor({ code, facts }: EngineError): string | null {
  if (code === 'engine_out_of_credit') {
    return 'the image service is out of credit: add credit or raise the limit at the provider'
  }
  if (code !== 'engine_misconfigured') return null
  const { status = 0, providerCode = '', networkError } = facts
  if (networkError !== undefined) return 'the image service cannot be reached: check OPENAI_BASE_URL'
  if (status >= 300 && status < 400) {
    return 'the image service redirects: set OPENAI_BASE_URL to the final address'
  }
  if (status === 401 || /api_key|authentication/.test(providerCode)) {
    return 'the image service rejects the key: check OPENAI_API_KEY'
  }
  if (status === 403) {
    return 'the key has no access to the model: check OPENAI_API_KEY, its permissions and OPENAI_IMAGE_MODEL'
  }
  return 'the image service has no such model or address: check OPENAI_IMAGE_MODEL and OPENAI_BASE_URL, which usually ends in /v1'
}

/** Part of an endpoint that is logged. */
interface Host {
  readonly host: string
}

/** Cause of a failed generation in the log. */
class OpenAiFailure extends Error {
  override readonly name = 'OpenAiFailure'
}

/**
 * Creates the error that the engine throws: a message for the user, and a cause with selected facts for the log.
 *
 * @param secrets strings that the cause must not contain, even if a provider uses them as identifiers
 */
export function toAppError(error: EngineError, endpoint: Host, secrets: readonly string[]): AppError {
  const facts = loggableFacts(error, endpoint, secrets)
  const known = [facts.status, facts.providerCode, facts.networkError].filter((fact) => fact !== undefined)
  const message = [
    `${endpoint.host}: ${error.message}`,
    ...(known.length > 0 ? [`(${known.join(', ')})`] : []),
  ].join(' ')
  const { retryAfterMs } = error.facts
  return new AppError(error.code, undefined, {
    cause: Object.assign(new OpenAiFailure(message), facts),
    ...(error.code === 'engine_busy' &&
      retryAfterMs !== undefined && { retryAfter: Math.ceil(retryAfterMs / 1_000) }),
  })
}

/** Matches identifiers of errors, parameters and requests, but not sentences. */
const identifier = /^[\w.:-]{1,64}$/

/** Selects the facts of an error that are safe to log. */
export function loggableFacts({ facts }: EngineError, endpoint: Host, secrets: readonly string[]) {
  const pick = (text: string | undefined) =>
    text !== undefined && identifier.test(text) && !secrets.some((secret) => text.includes(secret))
      ? text
      : undefined
  return {
    host: endpoint.host,
    status: facts.status,
    providerCode: pick(facts.providerCode),
    providerType: pick(facts.providerType),
    param: pick(facts.param),
    moderationStage: pick(facts.moderationStage),
    requestId: pick(facts.requestId),
    networkError: pick(facts.networkError),
  }
}

/** Parses JSON; returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
