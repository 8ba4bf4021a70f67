import { APIError } from 'better-auth/api'
import { nameLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { cleanText } from '../text/clean-text.ts'

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
  const exceeded = exceededLimit(cleaned, nameLimit)
  if (exceeded) {
    const message =
      exceeded === 'characters'
        ? `A name may have at most ${nameLimit.characters} characters`
        : `A name may have at most ${nameLimit.codeUnits} UTF-16 code units; emoji take several each`
    throw new APIError('BAD_REQUEST', { code: 'NAME_TOO_LONG', message })
  }
  return cleaned
}
