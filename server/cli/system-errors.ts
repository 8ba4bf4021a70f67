import { AppError, StartError } from '../errors/app-error.ts'
import { systemCode } from '../storage/disk-files.ts'

/**
 * Reports errors of the disk and the database in one line.
 *
 * @param failure beginning of the line: what was not done
 * @throws StartError
 */
export async function withSystemErrors<Result>(
  failure: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error
    const isOfDatabase = error instanceof AppError && cause instanceof Error
    if (!isOfDatabase && systemCode(cause) === undefined) throw error
    throw new StartError(`${failure}: ${describe(cause as Error)}.`, { cause: error })
  }
}

function describe(error: Error): string {
  const code = systemCode(error)
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || error.message === 'database or disk is full'
  return isFull ? `the disk is full (${error.message})` : error.message
}
