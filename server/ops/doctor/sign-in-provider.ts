import { z } from 'zod'
import {
  discoveryUrl,
  parseMetadata,
  ProviderError,
  signingAlgorithms,
  type ProviderMetadata,
  withoutSlash,
} from '../../auth/oidc/provider-metadata.ts'
import type { OidcConfig } from '../../config/auth-section.ts'
import { note, ok, problem, type Line } from './report.ts'
import { request } from './request.ts'

const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) })

/**
 * Checks that the OpenID Connect provider can sign users in, with two reads. The client's credentials cannot be checked without
 * a user.
 *
 * @param publicOrigin origin of the site
 */
export async function checkProvider(oidc: OidcConfig, publicOrigin: string): Promise<Line[]> {
  const url = discoveryUrl(oidc.issuer)
  const answer = await request(url)
  if ('error' in answer) {
    return [
      problem(
        `The sign-in provider ${oidc.name} cannot be reached at ${url} (${answer.error}).`,
        'Start it, or correct OIDC_ISSUER; this machine has to reach it too.',
      ),
    ]
  }
  if (answer.status !== 200) {
    const text = `${url} answered ${answer.status}, so OIDC_ISSUER is not the issuer of a provider.`
    return [problem(text, 'Copy the issuer from the provider, with its path.')]
  }
  const document = parseJson(answer.text)
  const { data: named } = z.object({ issuer: z.string() }).safeParse(document)
  if (named && withoutSlash(named.issuer) !== oidc.issuer) {
    const text = `The provider at ${oidc.issuer} names itself ${named.issuer}: its ID tokens would be rejected.`
    return [problem(text, `Set OIDC_ISSUER to ${named.issuer}`)]
  }
  let metadata: ProviderMetadata
  try {
    metadata = parseMetadata(document, oidc.issuer)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return [problem(`${url}: ${error.message}`, 'Check that OIDC_ISSUER is an OpenID Connect provider.')]
  }
  return [
    ok(`Users sign in with ${oidc.name}, the provider ${oidc.issuer}.`),
    await checkKeys(metadata),
    ok(`Its redirect URI for this site must be ${publicOrigin}/api/auth/callback/oidc`),
    metadata.end_session_endpoint === undefined
      ? note('The provider has no end_session_endpoint: signing out here does not sign users out there.')
      : ok(`Signing out here signs users out there; its post-logout redirect URI must be ${publicOrigin}/`),
    ...checkGroups(oidc, metadata),
  ]
}

async function checkKeys(metadata: ProviderMetadata): Promise<Line> {
  if (signingAlgorithms(metadata).length === 0) {
    const algorithms = metadata.id_token_signing_alg_values_supported.join(', ')
    return problem(
      `The provider signs ID tokens with ${algorithms || 'nothing'}, which this site does not accept.`,
      'Choose a signing key with RS256 or ES256 at the provider.',
    )
  }
  const answer = await request(metadata.jwks_uri)
  const works = 'text' in answer && answer.status === 200 && keySet.safeParse(parseJson(answer.text)).success
  if (works) return ok('The provider publishes the keys that verify its ID tokens.')
  const reason = 'error' in answer ? answer.error : `it answered ${answer.status}`
  return problem(
    `The provider's keys cannot be read from ${metadata.jwks_uri} (${reason}).`,
    'Choose a signing key at the provider, and check its address.',
  )
}

function checkGroups(
  { adminGroup, scopes }: OidcConfig,
  { scopes_supported = [] }: ProviderMetadata,
): Line[] {
  if (adminGroup === null) {
    return [note('OIDC_ADMIN_GROUP is not set: no role comes from the provider.')]
  }
  if (scopes_supported.includes('groups') && !scopes.includes('groups')) {
    return [
      note(
        `OIDC_ADMIN_GROUP is ${adminGroup}, and the provider may send groups only if asked for them.`,
        'Set OIDC_SCOPES=groups.',
      ),
    ]
  }
  return [ok(`Members of ${adminGroup} are administrators, if the provider sends the claim groups.`)]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
