import type { IncomingHttpHeaders } from 'node:http'
import { EngineError, type EngineErrorCode } from '../engine-error.ts'
import { fieldsOf, isRecord } from '../engine-http.ts'
import { systemClock } from '../../time/clock.ts'

/** Error response of a provider, or an error within a stream. */
export class ProviderError extends EngineError {
  /** May contain a key or a prompt. */
  readonly body: ErrorBody

  /** @param status undefined within a stream */
  constructor(status: number | undefined, body: ErrorBody, headers: IncomingHttpHeaders) {
    const code = classifyError(status, body)
    super(code, reasonFor(code, status, body), {
      status,
      providerCode: body.code,
      providerType: body.type,
      param: body.param,
      moderationStage: body.moderation_details?.moderation_stage,
      requestId: headerOf(headers, 'x-request-id'),
      retryAfterMs: parseRetryAfter(headers, systemClock()),
    })
    this.body = body
  }
}

/** Returns the reason for the log, which names what an operator can fix. */
function reasonFor(code: EngineErrorCode, status = 0, { code: name = '', type = '' }: ErrorBody): string {
  if (code === 'engine_out_of_credit') return 'the image service is out of credit'
  if (code !== 'engine_misconfigured') return 'the image service responded with an error'
  if (status >= 300 && status < 400) return 'the image service redirects: use its final address'
  if (status === 401 || /api_key|authentication/.test(`${name} ${type}`))
    return 'the image service rejects the key'
  if (status === 403) return 'the key has no access to the model'
  return 'the image service has no such model or address; an address usually ends in /v1'
}

/** Throws the error of a response with the status 200, or of an event. Gateways send the status of their provider as its code. */
export function throwGatewayError(body: Record<string, unknown>, headers: IncomingHttpHeaders): void {
  const { error, type } = body
  // Some servers send `error: null` with every response.
  if (!error && type !== 'error') return
  const code = Number(fieldsOf(error)['code'])
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined
  throw new ProviderError(status, readError(body), headers)
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
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

/**
 * Converts a parsed error, or a text that is not JSON, to OpenAI's form. Other forms are a string in `error` (stable-diffusion.cpp, xAI), FastAPI's
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
  const { message, code, type, param } = fields
  // OpenRouter's own message is "Provider returned error"; that of the provider behind it is here.
  const { raw } = fieldsOf(fields['metadata'])
  const text = [message, raw].filter((part) => typeof part === 'string').join(' ')
  const stage = findModerationStage(fields)
  return {
    ...(text !== '' && { message: text.slice(0, messageMaxLength) }),
    ...(typeof code === 'string' && { code }),
    ...(typeof type === 'string' && { type }),
    ...(typeof param === 'string' && { param }),
    ...(stage !== null && { moderation_details: { moderation_stage: stage } }),
  }
}

/** Finds the stage at which moderation blocked a request. OpenRouter moderates prompts only, and names its reasons. */
function findModerationStage({ moderation_details: details, metadata }: Record<string, unknown>) {
  const { moderation_stage: stage } = fieldsOf(details)
  if (typeof stage === 'string') return stage
  return 'flagged_input' in fieldsOf(metadata) ? 'input' : null
}

const moderationNames =
  /moderation_blocked|content_?(policy|filter)|responsible_?ai_?policy|safety_violation/i
const moderationWords =
  /content[ _]?policy|content moderation|content filter|safety system|usage guidelines|moderation_blocked/i

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
  const isModerated = error.moderation_details !== undefined || moderationNames.test(names)
  if (isModerated || moderationWords.test(message)) return 'prompt_blocked'
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
export function parseRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const milliseconds = parseNumber(headerOf(headers, 'retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const { 'retry-after': text = '' } = headers
  const seconds = parseNumber(text)
  if (seconds !== undefined) return seconds * 1_000
  // Date.parse accepts almost any text.
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function parseNumber(text = ''): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
