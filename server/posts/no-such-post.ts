import { AppError } from '../errors/app-error.ts'

/** The error for a post that is not there. */
export function noSuchPost(): AppError {
  return new AppError('not_found', 'There is no such post.')
}
