import { AppError } from './app-error.ts'

/** The error of work that its caller no longer waits for. It reaches nobody and is not logged. */
export function abandoned(): AppError {
  return new AppError('cancelled', 'The request was abandoned.')
}

/**
 * Ends work at a point where it can be left.
 *
 * @throws AppError `cancelled` when the signal is aborted
 */
export function throwIfAbandoned(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abandoned()
}
