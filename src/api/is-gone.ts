import { describeFailure } from './failure.ts'

/**
 * Whether a deletion did what was asked for: also where there was nothing left to delete, as another tab was faster
 * perhaps. Why it did not is for the mutation to tell.
 */
export async function isMissing(deletion: Promise<unknown>): Promise<boolean> {
  try {
    await deletion
    return true
  } catch (error) {
    return describeFailure(error).reason === 'not_found'
  }
}
