import { APIError } from 'better-auth/api'
import { nameMaxLength } from '../../shared/limits.ts'
import { cleanText, isLongerThan } from '../text/clean-text.ts'

/**
 * An account's name as it is kept.
 *
 * @throws APIError that better-auth answers with
 */
export function accountName(name: string): string {
  const cleaned = cleanText(name)
  if (cleaned === '') {
    throw new APIError('BAD_REQUEST', { code: 'NAME_MISSING', message: 'Please enter your name' })
  }
  if (isLongerThan(cleaned, nameMaxLength)) {
    throw new APIError('BAD_REQUEST', {
      code: 'NAME_TOO_LONG',
      message: `A name may have at most ${nameMaxLength} characters`,
    })
  }
  return cleaned
}
