import type { I18n } from '@lingui/core'
import { TRPCClientError } from '@trpc/client'
import { durationInWords } from '../../shared/duration.ts'
import type { ErrorCode, ErrorDetail, FailureData } from '../../shared/errors.ts'

/** Thrown if there is no response: the server is unreachable, or the connection broke before it replied. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
}

/** Describes a failed call in the terms that screens need. */
export function describeFailure(error: unknown) {
  const call = error instanceof TRPCClientError ? error : null
  const data = call?.data as Partial<FailureData> | null | undefined
  const reason = data?.reason ?? null
  return {
    /** `unreachable`: the network failed; `rejected`: the server or a proxy rejected the call. */
    kind: call?.cause instanceof NoResponse ? 'unreachable' : 'rejected',
    /** Error code; null if the response has none. */
    reason,
    /** The server's message for users, in English; null if it has no helpful one. Show it with `failureMessage`. */
    message: reason === 'internal' || !call?.shape ? null : call.message || null,
    /** Reason that is more specific than the error code; null if the response has none. */
    detail: data?.detail ?? null,
    /** True if the same call may succeed a moment later. */
    isRetryable: call !== null && (data?.httpStatus ?? 500) >= 500,
  } as const
}

/** Returns the message of a failed call, in the language of the page; null if there is no helpful one. */
export function failureMessage(error: unknown, i18n: I18n): string | null {
  const { reason, message, detail } = describeFailure(error)
  if (reason === null || message === null) return message
  // A detail that only a newer server knows is more specific than the code.
  const isTranslated = i18n.locale !== 'en' && `error.${reason}` in i18n.messages
  return isTranslated ? errorMessage(reason, i18n, detail) : message
}

/** Returns the message of an error: that of its detail if this version knows it, else that of its code. */
export function errorMessage(code: ErrorCode, i18n: I18n, detail: ErrorDetail | null = null): string {
  const id = `error.${code}`
  return (detail && detailMessage(detail, i18n)) ?? i18n._(id)
}

/** Returns the message of a detail; null for one that only a newer server knows. */
export function detailMessage({ code, values }: ErrorDetail, i18n: I18n): string | null {
  const id = `detail.${code}`
  if (!(id in i18n.messages)) return null
  const duration = durationInWords(Number(values?.['seconds']), i18n.locales ?? i18n.locale)
  return i18n._(id, { ...values, duration })
}
