import { describeFailure } from './failure.ts'

// Not in failure.ts, which is part of the entry.

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
