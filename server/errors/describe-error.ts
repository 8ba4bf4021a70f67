import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { messages, type ErrorCode } from '../../shared/errors.ts'
import { AppError } from './app-error.ts'

/** What a caller is told of a failure, through whichever door. */
export interface ErrorDescription {
  readonly reason: ErrorCode
  readonly status: (typeof statusOf)[ErrorCode]
  /** A sentence for people; nothing of an unexpected error's own words. */
  readonly message: string
  readonly retryAfter: number | undefined
}

/** The status by which each failure is answered. */
export const statusOf = {
  bad_input: 400,
  prompt_blocked: 400,
  not_signed_in: 401,
  forbidden: 403,
  not_found: 404,
  cancelled: 409,
  too_large: 413,
  rate_limited: 429,
  daily_limit: 429,
  upload_limit: 429,
  too_many_unfinished: 429,
  token_limit: 429,
  internal: 500,
  engine_failed: 502,
  engine_misconfigured: 502,
  engine_out_of_credit: 502,
  engine_busy: 503,
  interrupted: 503,
  queue_full: 503,
  busy: 503,
  storage_unavailable: 503,
  sign_in_unavailable: 503,
  engine_timeout: 504,
  storage_full: 507,
} as const satisfies Record<ErrorCode, number>

const noProcedure = 'There is no such procedure.'
const unreadableJson = 'The request is not readable JSON.'

/** The one place that maps errors: ours, the validator's and tRPC's own to a code, a status and a sentence. */
export function describeError(error: unknown): ErrorDescription {
  const cause = error instanceof TRPCError && error.cause ? error.cause : error
  if (cause instanceof AppError) return describe(cause.code, cause.message, cause.retryAfter)
  if (cause instanceof ZodError) return describe('bad_input', sentence(cause))
  // tRPC decodes the path itself, and takes an address that can't be decoded for a fault of the server.
  if (cause instanceof URIError) return describe('not_found', noProcedure)
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR')
    return describeProtocolError(error)
  return describe('internal', messages.generateFailed)
}

/** Whether an error is a fault of ours, which the log must know, rather than an answer. */
export function isUnexpected(error: unknown): boolean {
  return describeError(error).reason === 'internal'
}

function describe(reason: ErrorCode, message: string, retryAfter?: number): ErrorDescription {
  return { reason, status: statusOf[reason], message, retryAfter }
}

function describeProtocolError(error: TRPCError): ErrorDescription {
  if (error.cause instanceof SyntaxError) return describe('bad_input', unreadableJson)
  switch (error.code) {
    case 'PARSE_ERROR':
      return describe('bad_input', unreadableJson)
    case 'NOT_FOUND':
      return describe('not_found', noProcedure)
    case 'PAYLOAD_TOO_LARGE':
      return describe('too_large', 'The request is too large.')
    default:
      return describe('bad_input', error.message)
  }
}

/** The first fault; the schemas of our inputs say each of theirs in a sentence. */
function sentence(error: ZodError): string {
  return error.issues[0]?.message ?? 'The input is not valid.'
}
