import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError, isStorageError, libraryCode, StartError } from '../errors/app-error.ts'

/** SQLSTATE of a serialization failure, and of a deadlock. */
export const conflictCode = /^(?:40001|40P01)$/

/** Codes of SQLite and the system, and what to do. */
const fixes = [
  [
    /^(?:EACCES|EPERM|EROFS|SQLITE_(?:CANTOPEN|PERM|READONLY)\w*)$/,
    ' The user that runs the server must be able to read and write this file and its folder.',
  ],
  [/^(?:ENOSPC|EDQUOT|SQLITE_(?:FULL|IOERR_SHMSIZE|IOERR_WRITE))$/, ' Free space on its disk.'],
] as const

export function cannotOpen(file: string, cause: unknown): StartError {
  const code = libraryCode(cause instanceof AppError ? cause.cause : cause) ?? ''
  const [, fix = ''] = fixes.find(([codes]) => codes.test(code)) ?? []
  return new StartError(`DATABASE_URL: the database ${file} can't be opened (${reasonOf(cause)}).${fix}`, {
    cause,
  })
}

/** Returns the original message of SQLite or the system, also from an AppError that wraps it. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return reasonOf(error.cause)
  return error instanceof Error ? error.message : String(error)
}

/**
 * Reports whether PostgreSQL preferred another transaction (a deadlock or serialization failure): nothing was changed,
 * and a second attempt usually succeeds.
 */
export function isConflict(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return conflictCode.test(libraryCode(cause) ?? '')
}

const observers = new AsyncLocalStorage<{ error: unknown }>()

/** Records an error of the database for an enclosing `withStorageErrors`, and returns it. */
export function reportStorageError(error: unknown): unknown {
  const observer = observers.getStore()
  if (observer && isStorageError(error)) observer.error = error
  return error
}

/**
 * Runs a library's code that replaces errors of the database by its own, and throws the original instead. `isFailure`
 * tells whether a result stands for an error.
 */
export async function withStorageErrors<Result>(
  work: () => Promise<Result>,
  isFailure: (result: Result) => boolean = () => false,
): Promise<Result> {
  const observer: { error: unknown } = { error: null }
  try {
    const result = await observers.run(observer, work)
    if (observer.error && isFailure(result)) throw observer.error
    return result
  } catch (error) {
    throw observer.error ?? error
  }
}
