import { AppError } from './app-error.ts'

/** Nothing more fits: the disk, or what the site may use of it, is full. The log is told the cause. */
export function storageFull(cause: unknown): AppError {
  return new AppError(
    'storage_full',
    'This site has no room left to save anything. The people who run it have to see to it.',
    { cause },
  )
}

/** The disk or the database does not answer as it should; it may again in `retryAfter` seconds. */
export function storageUnavailable(cause: unknown, retryAfter: number): AppError {
  return new AppError(
    'storage_unavailable',
    "This site can't read or save anything right now. Please try again in a moment.",
    { cause, retryAfter },
  )
}

/** Whether an error is gone once the disk or the database is mended; its cause belongs into the log. */
export function isStorageFault(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'storage_full' || error.code === 'storage_unavailable')
}
