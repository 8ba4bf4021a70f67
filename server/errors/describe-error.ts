import { TRPCError } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { ZodError, type z } from 'zod'
import { errors, trpcCodes, type ErrorCode, type ErrorDetail } from '../../shared/errors.ts'
import { AppError } from './app-error.ts'
import type { TrpcErrorShape } from './trpc-error-shape.ts'

/** An error as callers see it, on every transport. */
export interface ErrorDescription {
  readonly reason: ErrorCode
  readonly status: (typeof errors)[ErrorCode]['status']
  /** Message for users; never the message of an unexpected error. */
  readonly message: string
  readonly detail: ErrorDetail | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined
}

const unreadableJson = 'The request is not readable JSON.'

/** Maps every error, ours, that of invalid input and tRPC's own, to a code, a status and a message. */
export function describeError(error: unknown): ErrorDescription {
  const cause = error instanceof TRPCError && error.cause ? error.cause : error
  if (cause instanceof AppError) {
    const { code, message, detail, retryAfter } = cause
    return { ...describe(code, message), detail, retryAfter }
  }
  const issue = inputIssueOf(error)
  if (issue) {
    const detail = issue.code === 'custom' ? (issue.params?.['detail'] as ErrorDetail | undefined) : undefined
    return { ...describe('bad_input', inputMessage(issue)), detail }
  }
  // tRPC reports a path that it cannot decode as an internal error.
  if (cause instanceof URIError) return describe('not_found')
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') {
    return describeProtocolError(error)
  }
  return describe('internal')
}

/** Returns the first issue of an input that tRPC has rejected. A `ZodError` of anything else, such as stored values, is a bug. */
export function inputIssueOf(error: unknown): z.core.$ZodIssue | undefined {
  if (!(error instanceof TRPCError) || error.code !== 'BAD_REQUEST') return undefined
  return error.cause instanceof ZodError ? error.cause.issues[0] : undefined
}

/** Types in messages, where their name is not enough. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  int: 'a whole number',
  object: 'an object',
}

/** Returns the message of a schema, or one that names the field where it has none. */
function inputMessage(issue: z.core.$ZodIssue): string {
  const requirement = requirementOf(issue)
  if (requirement === null) return issue.message
  if (issue.code === 'unrecognized_keys') return `\`${issue.keys[0]?.slice(0, 100)}\` is unknown.`
  const field = issue.path.findLast((key) => typeof key === 'string')
  return field === undefined ? 'The input must be an object.' : `\`${field}\` ${requirement}.`
}

/** Says what a value must be; null if its schema has a message of its own: those of zod begin with these words. */
export function requirementOf(issue: z.core.$ZodIssue): string | null {
  if (!/^(?:Invalid|Too|Unrecognized) /.test(issue.message)) return null
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`
  if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`
  return 'is not valid'
}

/** Reports whether an error is a bug, to be logged, rather than a response. */
export function isUnexpected(error: unknown): boolean {
  return describeError(error).reason === 'internal'
}

/** Renders an error as tRPC clients read it. */
export function trpcErrorShape(described: ErrorDescription): TrpcErrorShape {
  const { reason, status, message, retryAfter } = described
  const code = trpcCodes[errors[reason].status]
  const isDefault = message === errors[reason].message
  const detail =
    described.detail ?? (isDefault ? null : { code: 'untranslated' as const, values: { message } })
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: {
      code,
      httpStatus: status,
      reason,
      ...(detail && { detail }),
      ...(retryAfter !== undefined && { retryAfter }),
    },
  }
}

function describe(reason: ErrorCode, message: string = errors[reason].message): ErrorDescription {
  return { reason, status: errors[reason].status, message, detail: undefined, retryAfter: undefined }
}

function describeProtocolError(error: TRPCError): ErrorDescription {
  if (error.cause instanceof SyntaxError) return describe('bad_input', unreadableJson)
  switch (error.code) {
    case 'PARSE_ERROR':
      return describe('bad_input', unreadableJson)
    case 'NOT_FOUND':
      return describe('not_found')
    case 'PAYLOAD_TOO_LARGE':
      return describe('too_large')
    default:
      return describe('bad_input', error.message)
  }
}
