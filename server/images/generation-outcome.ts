import type { Selectable } from 'kysely'
import { messages, type ErrorCode } from '../../shared/errors.ts'
import type { ReadyImage } from '../../shared/images.ts'
import type { ImagesTable } from '../db/schema.ts'
import { AppError } from '../errors/app-error.ts'
import { isReady, toImage } from './image-row.ts'

/** What a person is told of a generation that failed, by the code that its row keeps. */
const failureMessages: Partial<Record<ErrorCode, string>> = {
  prompt_blocked: 'The image service does not make pictures of this prompt. Please change it.',
  engine_failed: 'The picture could not be made. Please try again.',
  engine_timeout: 'The picture took too long to make. Please try again.',
  engine_out_of_credit: 'The image service is out of credit. The people who run this site have to see to it.',
  engine_misconfigured:
    'The image service is not set up correctly. The people who run this site have to see to it.',
  engine_busy: 'The image service is busy. Please try again in a moment.',
  interrupted: 'The server stopped while the picture was being made. Please try again.',
  cancelled: 'The picture was cancelled.',
}

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
  return new AppError(code, failureMessages[code] ?? messages.generateFailed, { cause })
}

/** Whatever goes wrong in a job, as one of the failures that its row can name. */
export function asGenerationFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
  return generationFailure(timedOut ? 'engine_timeout' : 'engine_failed', error)
}
