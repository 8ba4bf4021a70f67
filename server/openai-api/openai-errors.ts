import { TRPCError } from '@trpc/server'
import type { ErrorCode } from '../../shared/errors.ts'
import { AppError } from '../errors/app-error.ts'
import { describeError, inputIssueOf } from '../errors/describe-error.ts'

/** Message for a body that is not JSON. */
export const unreadableJson = 'We could not parse the JSON body of your request.'

export interface OpenAiErrorBody {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | null
  }
}

/** Longest delay after which the SDK should repeat a request by itself, in seconds: it sleeps for the whole delay. */
const retryAfterMaxSeconds = 60

/** An error in OpenAI's terms. */
interface ErrorKind {
  readonly type: string
  readonly code: string | null
  /**
   * True if the same request may succeed in a moment; `with key` if its generation may have begun, so that only a request
   * with an idempotency key is certain not to be paid for twice.
   */
  readonly isTransient?: true | 'with key'
}

const kinds: Readonly<Record<ErrorCode, ErrorKind>> = {
  bad_input: { type: 'invalid_request_error', code: null },
  prompt_blocked: { type: 'image_generation_user_error', code: 'moderation_blocked' },
  not_signed_in: { type: 'invalid_request_error', code: 'invalid_api_key' },
  forbidden: { type: 'invalid_request_error', code: 'insufficient_permissions' },
  not_found: { type: 'invalid_request_error', code: null },
  canceled: { type: 'invalid_request_error', code: 'canceled' },
  too_large: { type: 'invalid_request_error', code: 'request_too_large' },
  rate_limited: { type: 'requests', code: 'rate_limit_exceeded', isTransient: true },
  too_many_unfinished: { type: 'requests', code: 'rate_limit_exceeded', isTransient: true },
  daily_limit: { type: 'insufficient_quota', code: 'insufficient_quota' },
  site_limit: { type: 'insufficient_quota', code: 'insufficient_quota' },
  budget_exceeded: { type: 'insufficient_quota', code: 'insufficient_quota' },
  upload_limit: { type: 'insufficient_quota', code: 'insufficient_quota' },
  post_limit: { type: 'insufficient_quota', code: 'insufficient_quota' },
  storage_limit: { type: 'insufficient_quota', code: 'insufficient_quota' },
  api_key_limit: { type: 'insufficient_quota', code: 'insufficient_quota' },
  internal: { type: 'server_error', code: 'internal' },
  engine_failed: { type: 'server_error', code: 'engine_failed' },
  engine_misconfigured: { type: 'server_error', code: 'engine_misconfigured' },
  engine_out_of_credit: { type: 'server_error', code: 'engine_out_of_credit' },
  engine_out_of_memory: { type: 'server_error', code: 'engine_out_of_memory' },
  engine_timeout: { type: 'server_error', code: 'engine_timeout' },
  engine_unavailable: { type: 'server_error', code: 'engine_unavailable', isTransient: true },
  engine_busy: { type: 'server_error', code: 'engine_busy', isTransient: true },
  interrupted: { type: 'server_error', code: 'interrupted', isTransient: 'with key' },
  queue_full: { type: 'server_error', code: 'queue_full', isTransient: true },
  busy: { type: 'server_error', code: 'busy', isTransient: true },
  storage_unavailable: { type: 'server_error', code: 'storage_unavailable', isTransient: 'with key' },
  sign_in_unavailable: { type: 'server_error', code: 'sign_in_unavailable', isTransient: true },
  storage_full: { type: 'server_error', code: 'storage_full' },
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

/** Creates the error for a parameter whose value is not accepted. */
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
export function openAiError(
  error: unknown,
  hasKey: boolean,
): { readonly body: OpenAiErrorBody; readonly headers: Readonly<Record<string, string>> } {
  const { reason, message, retryAfter = 0 } = describeError(error)
  const { type, code, isTransient } = kinds[reason]
  const mayRetry = (isTransient === 'with key' ? hasKey : isTransient) && retryAfter <= retryAfterMaxSeconds
  const issue = issueOf(error)
  return {
    body: { error: { message, type, param: issue?.param ?? null, code: issue?.code ?? code } },
    headers: { 'X-Should-Retry': String(mayRetry ?? false) },
  }
}

function issueOf(error: unknown): Pick<ParameterIssue, 'param' | 'code'> | null {
  const thrown = error instanceof TRPCError && error.cause ? error.cause : error
  if (thrown instanceof AppError && thrown.cause instanceof ParameterIssue) return thrown.cause
  const param = parametersOfInputs[String(inputIssueOf(error)?.path[0])]
  return param === undefined ? null : { param, code: 'invalid_value' }
}
