import { TRPCError } from '@trpc/server'
import type { Logger } from 'pino'
import { AppError, isStorageError } from './app-error.ts'
import { isUnexpected } from './describe-error.ts'

/**
 * Logs an error that no error handler receives, for example of a stream after its procedure has returned. Errors that the
 * procedure itself threw are logged where they become an AppError.
 */
export function logError(log: Logger, error: unknown, fields: object, message: string): void {
  const cause = error instanceof TRPCError ? error.cause : undefined
  if (isUnexpected(error) && !(cause instanceof AppError))
    log.error({ ...fields, err: cause ?? error }, message)
  logStorageError(log, error, fields)
}

/** Logs the cause of a storage error, which the response does not contain. */
export function logStorageError(log: Logger, error: unknown, fields: object): void {
  const storageError = [error, error instanceof Error && error.cause].find(isStorageError)
  if (storageError) log.error({ ...fields, err: storageError.cause ?? storageError }, 'storage failed')
}
