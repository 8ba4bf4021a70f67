import { APIError } from 'openai'
import type { ErrorCode } from '../../../shared/errors.ts'
import { AppError } from '../../errors/app-error.ts'
import { isRecord, parseJson } from './untrusted-json.ts'

/** The ways in which a generation fails at this engine. */
export type EngineErrorCode = Extract<ErrorCode, `engine_${string}` | 'prompt_blocked'>

/**
 * An error for the log. Its message and facts are our own words and selected identifiers, never a provider's or an SDK's
 * text, which may contain a key or a prompt.
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
  /** `input` where moderation stopped the prompt, `output` where it stopped the image. */
  readonly moderationStage?: string | undefined
  readonly requestId?: string | undefined
  /** The system's name for a network error, such as ECONNRESET. */
  readonly networkError?: string | undefined
  /** Delay that the provider asks for before the next request. */
  readonly retryAfterMs?: number | undefined
}

/** Network errors that persist until the configuration is changed. */
const configurationErrors =
  /^(ENOTFOUND|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ERR_INVALID_)/

/** Converts anything that a request throws. */
export function toEngineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown
  if (thrown instanceof APIError && thrown.status !== undefined) {
    return providerError(thrown.status, readError(thrown.error), thrown.headers ?? new Headers())
  }
  const networkError = networkErrorOf(thrown)
  const code = configurationErrors.test(networkError) ? 'engine_misconfigured' : 'engine_failed'
  return new EngineError(code, 'the connection failed', { networkError })
}

/** Converts an error that a provider sent; `status` is undefined for one inside of a stream. */
export function providerError(status: number | undefined, error: ErrorBody, headers: Headers): EngineError {
  return new EngineError(classifyError(status, error), 'the image service answered with an error', {
    status,
    providerCode: error.code,
    providerType: error.type,
    param: error.param,
    moderationStage: error.moderation_details?.moderation_stage,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers, Date.now()),
  })
}

/** Finds the system's name for an error of a connection, which Node and the SDK wrap more than once. */
export function networkErrorOf(thrown: unknown): string {
  let error = thrown
  while (error instanceof Error) {
    if ('code' in error && typeof error.code === 'string') return error.code
    if (error.cause === undefined) return error.constructor.name
    error = error.cause
  }
  return typeof error
}

/** An error in the form that OpenAI gives it, under `error`. */
export interface ErrorBody {
  readonly message?: string
  readonly code?: string
  readonly type?: string
  /** The parameter that is wrong, or several. */
  readonly param?: string
  readonly moderation_details?: { readonly moderation_stage?: string }
}

/** Maximum length of a message; some servers answer with an HTML page. */
const messageMaxLength = 2_000

/** Parses the body of an error response in any of the known forms; text that is not JSON becomes the message. */
export function readErrorBody(text: string): ErrorBody {
  return readError(parseJson(text) ?? text)
}

/**
 * Converts a parsed error to OpenAI's form. Others are a plain string under `error` (stable-diffusion.cpp, xAI), FastAPI's
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

/** FastAPI's validation errors: each has a location such as `['body', 'size']`, and repeats the input, which is left out. */
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
 * Classifies a provider's error. Its code and type decide before its status: the same 400 is a blocked prompt or a
 * billing limit, and an error inside a stream has no status. Its message counts where it has no code of its own.
 */
function classifyError(status: number | undefined, error: ErrorBody): EngineErrorCode {
  const names = `${error.code ?? ''} ${error.type ?? ''}`
  const message = hasOwnCode(error) ? '' : (error.message ?? '')
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

/** Gateways repeat the status as the code, and xAI sends a sentence. */
function hasOwnCode(error: ErrorBody): boolean {
  return /^(?!none$|null$)[a-z][\w.-]*$/i.test(error.code ?? '')
}

/**
 * Parses `retry-after-ms`, or `retry-after` in seconds or as a date.
 *
 * @returns milliseconds to wait; undefined without a valid header
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

/** Tells operators how to fix the cause of an error, in words for the log; null where they cannot. */
export function fixFor({ code, facts }: EngineError): string | null {
  if (code === 'engine_out_of_credit') {
    return 'the image service is out of credit: add credit or raise the limit at the provider'
  }
  if (code !== 'engine_misconfigured') return null
  const { status = 0, providerCode = '', networkError } = facts
  if (networkError !== undefined) return 'the image service cannot be reached: check OPENAI_BASE_URL'
  if (status >= 300 && status < 400) {
    return 'the image service is elsewhere: set OPENAI_BASE_URL to the final address'
  }
  if (status === 401 || /api_key|authentication/.test(providerCode)) {
    return 'the image service refuses the key: check OPENAI_API_KEY'
  }
  if (status === 403) {
    return 'the image service does not let this key use the model: check OPENAI_API_KEY, its rights and OPENAI_IMAGE_MODEL'
  }
  return 'the image service has no such model or address: check OPENAI_IMAGE_MODEL and OPENAI_BASE_URL, which mostly ends in /v1'
}

/** The part of an endpoint that is logged. */
interface Host {
  readonly host: string
}

/** The cause of a failed generation, as the log shows it. */
class OpenAiFailure extends Error {
  override readonly name = 'OpenAiFailure'
}

/**
 * Creates the error that the engine throws: a sentence for the user, and for the log a cause with selected facts.
 *
 * @param secrets what the cause must not contain, even where a provider uses it as a name
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

/** Matches names that providers give to errors, parameters and requests, as opposed to sentences. */
const identifier = /^[\w.:-]{1,64}$/

/** Selects the facts of an error that may be logged. */
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
