import type { ErrorCode } from '../../shared/errors.ts'

/**
 * The one error that domain code throws: a code for programs, a sentence for people,
 * and in `cause` what the log should know and nobody else.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  /** Seconds after which trying again makes sense; sent as Retry-After. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retryAfter = options.retryAfter
  }
}
