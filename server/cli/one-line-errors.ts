import { AppError } from '../errors/app-error.ts'
import { StartError } from '../errors/start-error.ts'
import { systemCode } from '../storage/disk-error.ts'

/**
 * Does a command's work; what the disk or the database answers becomes one line.
 *
 * @param failure what then did not happen, as the beginning of a sentence
 */
export async function withOneLineErrors<Result>(
  failure: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error
    const isOfDatabase = error instanceof AppError && cause instanceof Error
    if (!isOfDatabase && systemCode(cause) === undefined) throw error
    throw new StartError(`${failure}: ${sentence(cause as Error)}.`, { cause: error })
  }
}

function sentence(fault: Error): string {
  const code = systemCode(fault)
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || fault.message === 'database or disk is full'
  return isFull ? `the disk is full (${fault.message})` : fault.message
}
