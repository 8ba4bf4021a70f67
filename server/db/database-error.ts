import { AppError } from '../errors/app-error.ts'
import { StartError } from '../errors/start-error.ts'

/** The database can't be used as the environment names it. */
export function cannotOpen(file: string, cause: unknown): StartError {
  return new StartError(`DATABASE_URL: the database ${file} can't be opened (${reasonOf(cause)}).`, { cause })
}

/** SQLite's or the system's own words, also where they have been put into ours. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return reasonOf(error.cause)
  return error instanceof Error ? error.message : String(error)
}
