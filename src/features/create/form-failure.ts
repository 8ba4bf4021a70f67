import { describeFailure } from '../../api/failure.ts'

/** What went wrong in the form, as it is alerted and stays readable. */
export interface FormFailure {
  readonly message: string
  /** The session has ended; signing in again is the way on. */
  readonly needsSignIn: boolean
}

/** A refused call in the server's words, or in `fallback`'s where it has none. */
export function formFailure(error: unknown, fallback: string): FormFailure {
  const { message, reason } = describeFailure(error)
  return { message: message ?? fallback, needsSignIn: reason === 'not_signed_in' }
}
