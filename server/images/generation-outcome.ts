import type { Selectable } from 'kysely'
import type { ErrorCode } from '../../shared/errors.ts'
import type { ReadyImage } from '../../shared/images.ts'
import type { ImagesTable } from '../db/schema.ts'
import { AppError } from '../errors/app-error.ts'
import { failureSentence } from '../errors/failure-sentences.ts'
import { isReady, toImage } from './image-row.ts'

/**
 * How a finished generation ended, read from its row: the image, or the failure as an error.
 *
 * @throws AppError with the failure's code
 */
export function generationOutcome(row: Selectable<ImagesTable>): ReadyImage {
  const image = toImage(row)
  if (isReady(image)) return image
  throw generationFailure(row.state === 'cancelled' ? 'cancelled' : (row.failure ?? 'internal'))
}

/** The error for a failure code, with its sentence for people. */
export function generationFailure(code: ErrorCode, cause?: unknown): AppError {
  return new AppError(code, failureSentence(code), { cause })
}

/** Whatever goes wrong in a job, as one of the failures that its row can name. */
export function asGenerationFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
  return generationFailure(timedOut ? 'engine_timeout' : 'engine_failed', error)
}
