import type { ErrorCode } from '../../shared/errors.ts'
import { AppError } from '../errors/app-error.ts'

/** Error codes of engines of other services. */
export type EngineErrorCode = Extract<ErrorCode, `engine_${string}` | 'prompt_blocked'>

/**
 * Error that is safe to log: its message and facts are our own words and selected identifiers, never text from a provider or
 * the SDK, which may contain a key or a prompt.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode
  readonly facts: EngineErrorFacts
  /** Message for the user; undefined for the default message of the code. */
  readonly userMessage: string | undefined

  /** @param message reason for the log */
  constructor(code: EngineErrorCode, message: string, facts: EngineErrorFacts = {}, userMessage?: string) {
    super(message)
    this.code = code
    this.facts = facts
    this.userMessage = userMessage
  }
}

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

/** Returns the system error code of a connection error, which Node and the SDK wrap in other errors. */
export function networkErrorOf(thrown: unknown): string {
  const error = findSystemError(thrown)
  if (error) return error.code
  let innermost = thrown
  while (innermost instanceof Error && innermost.cause !== undefined) innermost = innermost.cause
  return innermost instanceof Error ? innermost.constructor.name : typeof innermost
}

function findSystemError(thrown: unknown): (Error & { readonly code: string }) | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error as Error & { readonly code: string }
  }
  return null
}

/** Errors of a connection that was not established: the server is down, or its address is wrong. */
const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/

/** Network errors that persist until the configuration is changed. */
const misconfigured = /^(EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ERR_INVALID_)/

/** Creates the error for a connection that was not established, or was lost. */
export function connectionError(thrown: unknown): EngineError {
  const networkError = networkErrorOf(thrown)
  if (unreachable.test(networkError) || isConnectTimeout(thrown)) {
    return new EngineError('engine_unavailable', 'the server cannot be reached', { networkError })
  }
  const code = misconfigured.test(networkError) ? 'engine_misconfigured' : 'engine_failed'
  return new EngineError(code, 'the connection failed', { networkError })
}

/** Distinguishes a timeout of the connection attempt from one of an established connection. Attempts at several addresses are aggregated. */
function isConnectTimeout(thrown: unknown): boolean {
  const error = findSystemError(thrown)
  if (error?.code !== 'ETIMEDOUT') return false
  return error instanceof AggregateError || ('syscall' in error && error.syscall === 'connect')
}

/** Pattern of a status, and the error of responses with it: code, reason for the log and message for users. */
export type StatusError = readonly [
  status: RegExp,
  code: EngineErrorCode,
  reason: string,
  userMessage?: string,
]

/** Creates the error for an error response, from the first row with its status. */
export function statusError(
  status: number,
  rows: readonly StatusError[],
  providerCode?: string,
): EngineError {
  const row = rows.find(([pattern]) => pattern.test(String(status)))
  const [, code, reason, message] = row ?? [null, 'engine_failed', 'the server responded with an error']
  return new EngineError(code, reason, { status, providerCode }, message)
}

/** Reports whether an error may be over after a restart of the server or of a proxy, or when a proxy accepts requests again. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false
  const { code, facts } = error
  return code === 'engine_unavailable' || code === 'engine_busy' || (facts.status ?? 0) >= 500
}

/** Creates the error for a model that the server does not have. A configured name may be a path. */
export function unknownModel(reason: string, model: string): EngineError {
  const message = `The image engine has no model named “${model.replace(/^.*[\\/]/, '')}”.`
  return new EngineError('engine_misconfigured', reason, {}, message)
}

/** Creates the error for a job that a user of the server has ended. */
export function interruptedError(): EngineError {
  const message = 'The image was interrupted at the engine. Try again.'
  return new EngineError('engine_failed', 'the job was interrupted at the server', {}, message)
}

/** Cause of a failed generation in the log. */
class EngineFailure extends Error {
  override readonly name = 'EngineFailure'
}

/**
 * Creates the error that the engine throws: a message for the user, and a cause with selected facts for the log.
 *
 * @param secrets strings that the cause must not contain, even if a provider uses them as identifiers
 */
export function toAppError(error: EngineError, host: string, secrets: readonly string[]): AppError {
  const facts = loggableFacts(error, host, secrets)
  const known = [facts.status, facts.providerCode, facts.networkError].filter((fact) => fact !== undefined)
  const message = `${host}: ${error.message}${known.length > 0 ? ` (${known.join(', ')})` : ''}`
  const { retryAfterMs } = error.facts
  return new AppError(error.code, error.userMessage, {
    cause: Object.assign(new EngineFailure(message), facts),
    ...(error.code === 'engine_busy' &&
      retryAfterMs !== undefined && { retryAfter: Math.ceil(retryAfterMs / 1_000) }),
  })
}

/** Returns a value that is an identifier of an error, parameter or request; null for others, which may contain prompts or paths. */
export function toIdentifier(value: unknown): string | null {
  return typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value) ? value : null
}

/** Selects the facts of an error that are safe to log. */
function loggableFacts(
  { facts }: EngineError,
  host: string,
  secrets: readonly string[],
): EngineErrorFacts & { readonly host: string } {
  const { status, retryAfterMs: _, ...texts } = facts
  const isSafe = (text: string | undefined) =>
    toIdentifier(text) !== null && secrets.every((secret) => !text?.includes(secret))
  return { host, status, ...Object.fromEntries(Object.entries(texts).filter(([, text]) => isSafe(text))) }
}
