import { TRPCClientError } from '@trpc/client'
import type { ErrorCode } from '../../shared/errors.ts'
import { NoResponse } from './no-answer.ts'

/** A failed call, as the screens need to know it. */
export interface Failure {
  /** `unreachable`: the network failed; `answered`: the server refused, or something in between did. */
  readonly kind: 'unreachable' | 'answered'
  /** Why the server refused; null where it did not say. */
  readonly reason: ErrorCode | null
  /** The server's sentence for users; null where it has none that would help them. */
  readonly message: string | null
  /** Whether the same call may well succeed a moment later. */
  readonly mayPass: boolean
}

interface ResponseData {
  readonly reason?: ErrorCode
  readonly httpStatus?: number
}

/** Tells what a rejected call means. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) {
    return { kind: 'answered', reason: null, message: null, mayPass: false }
  }
  if (error.cause instanceof NoResponse) {
    return { kind: 'unreachable', reason: null, message: null, mayPass: true }
  }
  const data = error.data as ResponseData | null | undefined
  const reason = data?.reason ?? null
  return {
    kind: 'answered',
    reason,
    message: reason === null || reason === 'internal' ? null : error.message,
    mayPass: (data?.httpStatus ?? 500) >= 500,
  }
}
