import type { Selectable } from 'kysely'
import type { ReadyImage } from '../../../shared/images.ts'
import type { ImagesTable } from '../../db/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { isReady, toImage } from '../image-row.ts'

/**
 * How a finished generation ended, read from its row: the image, or the failure as an error.
 *
 * @param retryAfter seconds after which trying again makes sense, for a failure
 * @throws AppError with the failure's code
 */
export function generationOutcome(row: Selectable<ImagesTable>, retryAfter?: number): ReadyImage {
  const image = toImage(row)
  if (isReady(image)) return image
  if (row.state === 'cancelled') throw new AppError('cancelled')
  throw new AppError(row.failure ?? 'internal', undefined, { retryAfter })
}

/** Whatever goes wrong in a job, as one of the failures that its row can name. */
export function asGenerationFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
  return new AppError(timedOut ? 'engine_timeout' : 'engine_failed', undefined, { cause: error })
}
