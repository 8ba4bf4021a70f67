import type { I18n } from '@lingui/core'
import { TRPCClientError } from '@trpc/client'
import type { ErrorDetail } from '../../shared/error-details.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import type * as FailureMessages from './failure-messages.ts'

/** Thrown if there is no response: the server is unreachable, or the connection broke before it replied. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
}

/** A failed call, in the terms that screens need. */
export interface Failure {
  /** `unreachable`: the network failed; `rejected`: the server or a proxy rejected the call. */
  readonly kind: 'unreachable' | 'rejected'
  /** Error code; null if the response has none. */
  readonly reason: ErrorCode | null
  /** The server's message for users, in English; null if it has no helpful one. Show it with `failureMessage`. */
  readonly message: string | null
  /** Reason that is more specific than the error code; null if the response has none. */
  readonly detail: ErrorDetail | null
  /** True if the same call may succeed a moment later. */
  readonly isRetryable: boolean
}

interface ResponseData {
  readonly reason?: ErrorCode
  readonly detail?: ErrorDetail
  readonly httpStatus?: number
}

/** Describes the error of a failed call. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) {
    return { kind: 'rejected', reason: null, message: null, detail: null, isRetryable: false }
  }
  if (error.cause instanceof NoResponse) {
    return { kind: 'unreachable', reason: null, message: null, detail: null, isRetryable: true }
  }
  const data = error.data as ResponseData | null | undefined
  const reason = data?.reason ?? null
  return {
    kind: 'rejected',
    reason,
    message: reason === null || reason === 'internal' ? null : error.message,
    detail: data?.detail ?? null,
    isRetryable: (data?.httpStatus ?? 500) >= 500,
  }
}

let translations: typeof FailureMessages | null = null

/** Loads what `failureMessage` needs in other languages than English, the language of the server's messages. */
export async function loadFailureMessages(): Promise<void> {
  translations ??= await import('./failure-messages.ts')
}

/** Returns the message of a failed call, in the language of the page; null if there is no helpful one. */
export function failureMessage(error: unknown, i18n: I18n): string | null {
  const { reason, message, detail } = describeFailure(error)
  if (reason === null || message === null) return null
  // Some of the server's messages have no detail, and are more specific than the code.
  if (!translations || i18n.locale === 'en') return message
  return translations.errorMessage(reason, detail, i18n)
}

/** Waits for a deletion. Its target may have been deleted before, for example in another tab. @throws any other error */
export async function completeDeletion(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (describeFailure(error).reason !== 'not_found') throw error
  }
}

/** Resolves to null if what a call asks for does not exist, or if its id is none. @throws any other error */
export async function nullIfMissing<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call
  } catch (error) {
    const { reason } = describeFailure(error)
    if (reason === 'not_found' || reason === 'bad_input') return null
    throw error
  }
}
