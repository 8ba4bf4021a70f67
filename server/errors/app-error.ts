import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { durationInWords } from '../../shared/duration.ts'
import {
  errorDetails,
  errors,
  type DetailCode,
  type DetailValues,
  type ErrorCode,
  type ErrorDetail,
} from '../../shared/errors.ts'

const compiled = new Map<string, ReturnType<typeof compileMessage>>()

/** Compiles each of the few messages once: Lingui keeps only those of catalogs. */
function compileOnce(message: string): ReturnType<typeof compileMessage> {
  const known = compiled.get(message) ?? compileMessage(message)
  compiled.set(message, known)
  return known
}

const english = setupI18n({ locale: 'en', messages: { en: {} } }).setMessagesCompiler(compileOnce)

interface AppErrorOptions {
  /** Logged, but not sent to callers. */
  readonly cause?: unknown
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter?: number | undefined
}

/** Error for callers: a code for programs and a message for users. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly detail: ErrorDetail | undefined
  readonly retryAfter: number | undefined

  /** @param reason a message, or a detail that has one; by default the message of the code in `errors` */
  constructor(code: ErrorCode, reason?: string | DescribedDetail, options: AppErrorOptions = {}) {
    const { message, detail } = typeof reason === 'object' ? reason : { message: reason, detail: undefined }
    super(message ?? errors[code].message, { cause: options.cause })
    this.code = code
    this.detail = detail
    this.retryAfter = options.retryAfter
  }
}

export interface DescribedDetail {
  readonly message: string
  readonly detail: ErrorDetail
}

/** Describes the reason for an error, so that clients can show it in other languages. */
export function describedDetail<Code extends DetailCode>(
  code: Code,
  ...[values]: keyof DetailValues<Code> extends never ? [] : [DetailValues<Code>]
): DescribedDetail {
  const seconds = (values as ErrorDetail['values'])?.['seconds']
  const duration = seconds !== undefined && { duration: durationInWords(Number(seconds), 'en') }
  const message = english._(errorDetails[code], { ...values, ...duration })
  return { message, detail: { code, ...(values && { values }) } }
}

/** Creates the error for a full disk, or a site that has reached its storage limit. */
export function storageFull(cause: unknown): AppError {
  return new AppError('storage_full', undefined, { cause })
}

/** Creates the error for a disk or a database that fails. @param retryAfter seconds after which it may work again */
export function storageUnavailable(cause: unknown, retryAfter: number): AppError {
  return new AppError('storage_unavailable', undefined, { cause, retryAfter })
}

/** Reports whether an error is due to the disk or the database. */
export function isStorageError(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'storage_full' || error.code === 'storage_unavailable')
}

/** Returns the code of an error of the system or a library, such as ECONNREFUSED; undefined for other errors. */
export function libraryCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Error that ends the start of a server or a command; the message is one line that names the variable and the fix. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
