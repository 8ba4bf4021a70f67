import { defaultAuthorName, nameLimit } from '../../../shared/limits.ts'
import { exceededLimit } from '../../../shared/text-length.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { cleanText } from '../../text/clean-text.ts'
import type { SessionClaims } from './session-tokens.ts'

/** Under these names instances put them into the session token, if they do: Clerk's own does not hold them. */
const firstNameClaims = ['first_name', 'firstName', 'given_name']
const imageClaims = ['image_url', 'imageUrl', 'picture']

/** The user of a valid session token, as far as the token tells. */
export function viewerOf(claims: SessionClaims, administrators: readonly string[]): Viewer {
  return {
    id: claims.sub,
    firstName: firstNameOf(claims) ?? defaultAuthorName,
    imageUrl: imageClaims.map((claim) => claims[claim]).find(isImageUrl) ?? null,
    role: administrators.includes(claims.sub) ? 'administrator' : 'member',
  }
}

function firstNameOf(claims: SessionClaims): string | undefined {
  const firstNames = firstNameClaims.map((claim) => shown(claims[claim]))
  const names = [...firstNames, shown(claims['name']).split(/\s+/)[0] ?? '']
  return names.find((name) => name !== '' && !exceededLimit(name, nameLimit))
}

function shown(claim: unknown): string {
  return typeof claim === 'string' ? cleanText(claim) : ''
}

function isImageUrl(claim: unknown): claim is string {
  return typeof claim === 'string' && URL.canParse(claim) && new URL(claim).protocol === 'https:'
}
