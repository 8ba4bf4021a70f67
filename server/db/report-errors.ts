import { AsyncLocalStorage } from 'node:async_hooks'
import { isStorageError } from '../errors/app-error.ts'

const watches = new AsyncLocalStorage<{ fault: unknown }>()

/** Tells whoever watches the work going on that the database failed it. */
export function reportError(error: unknown): void {
  const watch = watches.getStore()
  if (watch && isStorageError(error)) watch.fault = error
}

/**
 * Does work that says in words of its own what the database tells it, as libraries do.
 *
 * @param isFailure whether an answer of the work is one
 * @throws AppError `storage_full` or `storage_unavailable` in place of a failure which that fault led to
 */
export async function withStorageErrors<Answer>(
  work: () => Promise<Answer>,
  isFailure: (answer: Answer) => boolean = () => false,
): Promise<Answer> {
  const watch: { fault: unknown } = { fault: null }
  try {
    const answer = await watches.run(watch, work)
    if (watch.fault && isFailure(answer)) throw watch.fault
    return answer
  } catch (error) {
    throw watch.fault ?? error
  }
}
