import { TRPCError } from '@trpc/server'
import { errors, type ErrorCode } from '../../shared/errors.ts'
import { AppError } from '../errors/app-error.ts'
import { describeError, inputIssueOf } from '../errors/describe-error.ts'

export const unreadableJson = 'We could not parse the JSON body of your request.'

/** Longest delay after which the SDK should repeat a request by itself, in seconds: it sleeps for the whole delay. */
const retryAfterMaxSeconds = 60

/** Codes of OpenAI for those of the site that have another name there, or none. */
const codes: Readonly<Partial<Record<ErrorCode, string | null>>> = {
  bad_input: null,
  prompt_blocked: 'moderation_blocked',
  not_signed_in: 'invalid_api_key',
  forbidden: 'insufficient_permissions',
  not_found: null,
  too_large: 'request_too_large',
}

/** Limits that do not pass in a moment. */
const quotas: ReadonlySet<ErrorCode> = new Set([
  'daily_limit',
  'site_limit',
  'budget_exceeded',
  'upload_limit',
  'post_limit',
  'storage_limit',
  'api_key_limit',
])

/** Errors after which the same request may succeed in a moment. */
const transient: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'too_many_unfinished',
  'engine_unavailable',
  'engine_busy',
  'queue_full',
  'busy',
  'sign_in_unavailable',
])

/** Transient errors of generations that may have begun: only a request with an idempotency key is certain not to be paid for twice. */
const transientWithKey: ReadonlySet<ErrorCode> = new Set(['interrupted', 'storage_unavailable'])

function kindOf(reason: ErrorCode) {
  const { status } = errors[reason]
  const { [reason]: code = reason } = codes
  if (reason === 'prompt_blocked') return { type: 'image_generation_user_error', code }
  if (quotas.has(reason)) return { type: 'insufficient_quota', code: 'insufficient_quota' }
  if (status === 429) return { type: 'requests', code: 'rate_limit_exceeded' }
  return { type: status < 500 ? 'invalid_request_error' : 'server_error', code }
}

/** Parameter of the Images API for each input of `images.generate`. */
export const parametersOfInputs: Readonly<Record<string, string>> = {
  prompt: 'prompt',
  engine: 'model',
  size: 'size',
  count: 'n',
  referenceImageIds: 'image',
  maskImageId: 'mask',
}

/** Names the parameter of an error, and its code in OpenAI's terms, as the `cause` of an AppError. */
class ParameterIssue extends Error {
  override readonly name = 'ParameterIssue'
  readonly param: string
  readonly code: string

  constructor(param: string, code: string) {
    super(`${code}: ${param}`)
    this.param = param
    this.code = code
  }
}

export function parameterError(
  param: string,
  code: string,
  message: string,
  status: 'bad_input' | 'not_found' | 'too_large' = 'bad_input',
): AppError {
  return new AppError(status, message, { cause: new ParameterIssue(param, code) })
}

export function invalidValue(param: string, reason: string): AppError {
  return parameterError(param, 'invalid_value', `Invalid value for '${param}': ${reason}`)
}

export function missingParameter(param: string): AppError {
  return parameterError(param, 'missing_required_parameter', `Missing required parameter: '${param}'.`)
}

/**
 * Renders an error in OpenAI's form. The status and `Retry-After` are those of every transport.
 *
 * @param hasKey whether the request has an idempotency key
 */
export function openAiError(error: unknown, hasKey: boolean) {
  const { reason, message, retryAfter = 0 } = describeError(error)
  const { type, code } = kindOf(reason)
  const isTransient = transient.has(reason) || (hasKey && transientWithKey.has(reason))
  const issue = issueOf(error)
  return {
    body: { error: { message, type, param: issue?.param ?? null, code: issue?.code ?? code } },
    headers: { 'X-Should-Retry': String(isTransient && retryAfter <= retryAfterMaxSeconds) },
  }
}

function issueOf(error: unknown): Pick<ParameterIssue, 'param' | 'code'> | null {
  const thrown = error instanceof TRPCError && error.cause ? error.cause : error
  if (thrown instanceof AppError && thrown.cause instanceof ParameterIssue) return thrown.cause
  const param = parametersOfInputs[String(inputIssueOf(error)?.path[0])]
  return param === undefined ? null : { param, code: 'invalid_value' }
}
