import { readFile, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { authSecretFile } from '../../auth/auth-secret.ts'
import { jwksTimeoutMs, readKeySet } from '../../auth/clerk/signing-keys.ts'
import {
  discoveryUrl,
  parseMetadata,
  ProviderError,
  signingAlgorithms,
  withoutSlash,
  type ProviderMetadata,
} from '../../auth/oidc/provider-metadata.ts'
import type { ClerkAuthConfig, LocalAuthConfig, OidcConfig } from '../../config/auth-section.ts'
import type { Config } from '../../config/config.ts'
import { nullIfMissing, systemCode } from '../../files/disk-files.ts'
import { count, note, ok, problem, type Line } from './report.ts'
import { request } from './request.ts'

/** @param accounts number of accounts in the database */
export async function checkSignIn(config: Config, accounts: number): Promise<Line[]> {
  const { auth, publicOrigin } = config
  if (auth.kind === 'clerk') return [...(await checkClerk(auth)), ...checkAddress(config)]
  const { provider } = auth
  return [
    ...(await checkLocalAccounts(config, auth, accounts)),
    ...(provider && publicOrigin !== null ? await checkProvider(provider, publicOrigin) : []),
    ...checkAddress(config),
  ]
}

/** @param accounts number of accounts in the database */
export async function checkLocalAccounts(
  { database }: Config,
  { signUp, hourlySignUpLimit, secret }: LocalAuthConfig,
  accounts: number,
): Promise<Line[]> {
  const limit = signUp !== 'closed' ? `, at most ${hourlySignUpLimit} an hour from one network` : ''
  return [
    ok(
      `Accounts are stored in the database; ${signUp === null ? 'administrators choose who may sign up' : `sign-up is ${signUp}`}${limit}.`,
    ),
    ...(signUp === 'closed' && accounts === 0
      ? [note('There is no account yet.', 'Create one: npm run account -- add EMAIL.')]
      : []),
    secret === null && database.kind === 'sqlite'
      ? await checkSecretFile(authSecretFile(path.dirname(database.file)))
      : ok('AUTH_SECRET is set.'),
  ]
}

async function checkSecretFile(file: string): Promise<Line> {
  try {
    const stats = await nullIfMissing(stat(file))
    if (!stats) return ok(`AUTH_SECRET is not set; the first start generates one and stores it in ${file}.`)
    if ((await readFile(file, 'utf8')).trim().length < 32) {
      return problem(
        `The secret in ${file} is cut short.`,
        'Delete the file; the next start generates a new one.',
      )
    }
    // Windows has no modes.
    if (platform() !== 'win32' && stats.mode & 0o077) {
      return problem(`Other users of this machine may read the secret in ${file}.`, `Run: chmod 600 ${file}`)
    }
    return ok(`AUTH_SECRET is not set; the one in ${file} is used, which only its owner may read.`)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const fix = 'Give the user that runs the server read access, or set AUTH_SECRET.'
    return problem(`The secret in ${file} cannot be read (${code}).`, fix)
  }
}

/** Checks that PUBLIC_URL and TRUST_PROXY suit signing in. */
export function checkAddress({ publicOrigin, proxyHops }: Config): Line[] {
  if (publicOrigin === null) {
    if (proxyHops === 0) return []
    const text = 'TRUST_PROXY is set without PUBLIC_URL: the proxy decides which site users sign in to.'
    return [note(text, 'Set PUBLIC_URL to the address of the site.')]
  }
  const { protocol, hostname } = new URL(publicOrigin)
  if (protocol === 'http:') {
    if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return []
    const text = `PUBLIC_URL is ${publicOrigin}: passwords and sessions travel unencrypted.`
    return [note(text, 'Configure a proxy for https, and set PUBLIC_URL to its address.')]
  }
  if (proxyHops > 0) return [ok('PUBLIC_URL uses https: session cookies are sent by https only.')]
  return [
    note(
      'PUBLIC_URL uses https, so there is a proxy, and TRUST_PROXY is off: all visitors share one rate limit.',
      'Set TRUST_PROXY to the number of proxies, such as 1.',
    ),
  ]
}

/** Checks that Clerk accepts the keys and that all are of one instance, with two reads. */
export async function checkClerk(
  auth: ClerkAuthConfig,
  backendOrigin = 'https://api.clerk.com',
  frontendOrigin = `https://${auth.frontendApi}`,
): Promise<Line[]> {
  const [backend, frontend] = await Promise.all([
    fetchSigningKeys(`${backendOrigin}/v1/jwks`, { authorization: `Bearer ${auth.secretKey}` }),
    fetchSigningKeys(`${frontendOrigin}/.well-known/jwks.json`),
  ])
  return [
    ok(`Accounts are stored at Clerk, in the instance ${auth.frontendApi}.`),
    ...(auth.publishableKey.startsWith('pk_test_')
      ? [
          note(
            'The keys are of a development instance.',
            'For a public site, use those that begin with pk_live_ and sk_live_.',
          ),
        ]
      : []),
    describeFrontend(frontendOrigin, frontend),
    describeSecretKey(backendOrigin, backend, frontend),
    describeJwtKey(auth.jwtKey, frontend.pems ?? backend.pems),
    auth.webhookSecret === null
      ? note(
          'CLERK_WEBHOOK_SIGNING_SECRET is not set: what users shared stays when they delete their account at Clerk.',
          'Create a webhook in the dashboard as docs/sign-in.md describes.',
        )
      : ok('CLERK_WEBHOOK_SIGNING_SECRET is set.'),
    auth.administrators.length === 0
      ? note('CLERK_ADMINISTRATORS is not set: no one can hide or delete posts of others.')
      : ok(`CLERK_ADMINISTRATORS names ${count(auth.administrators.length, 'user')}.`),
  ]
}

interface SigningKeys {
  /** Null where the answer was none. */
  readonly pems: readonly string[] | null
  /** Status of the answer, or the network error. */
  readonly answer: number | string
}

/** Uses plain fetch, because Clerk's SDK has no timeout. */
async function fetchSigningKeys(url: string, headers: Record<string, string> = {}): Promise<SigningKeys> {
  const answer = await request(url, { headers, timeoutMs: jwksTimeoutMs })
  if ('error' in answer) return { pems: null, answer: answer.error }
  try {
    const pems = answer.status === 200 ? [...readKeySet(JSON.parse(answer.text)).values()] : null
    return { pems, answer: answer.status }
  } catch {
    // Not a key set, and described as such.
    return { pems: null, answer: answer.status }
  }
}

function describeFrontend(origin: string, { pems, answer }: SigningKeys): Line {
  if (pems) return ok('Its frontend API answers.')
  if (typeof answer === 'string') {
    return note(`The frontend API ${origin} cannot be reached from here (${answer}).`)
  }
  return problem(
    `The frontend API that CLERK_PUBLISHABLE_KEY names, ${origin}, returns no keys (it answered ${answer}).`,
    'Copy the key from the Clerk dashboard again, and check that its domain is set up.',
  )
}

function describeSecretKey(origin: string, { pems, answer }: SigningKeys, frontend: SigningKeys): Line {
  if (typeof answer === 'string') {
    return note(`CLERK_SECRET_KEY is not verified: ${origin} cannot be reached (${answer}).`)
  }
  if (answer === 401 || answer === 403) {
    const fix = 'Copy the one that starts with sk_ from the Clerk dashboard again.'
    return problem(`Clerk rejects CLERK_SECRET_KEY (${answer}).`, fix)
  }
  if (!pems) return note(`CLERK_SECRET_KEY is not verified: Clerk answered ${answer}.`, 'Try again later.')
  if (!frontend.pems || frontend.pems.some((pem) => pems.includes(pem))) {
    return ok('Clerk accepts CLERK_SECRET_KEY.')
  }
  return problem(
    'CLERK_SECRET_KEY belongs to another instance than CLERK_PUBLISHABLE_KEY.',
    'Copy both from the same instance in the Clerk dashboard.',
  )
}

/** @param pems keys of the frontend API, which signs; those of the backend where it did not answer */
function describeJwtKey(jwtKey: string | null, pems: readonly string[] | null): Line {
  if (jwtKey === null) {
    return note(
      'CLERK_JWT_KEY is not set: the server fetches the key from Clerk, and no one can sign in until it has.',
    )
  }
  if (!pems) return note('CLERK_JWT_KEY is not verified: Clerk returned no keys to compare it with.')
  if (pems.includes(jwtKey)) return ok('CLERK_JWT_KEY is the key of the instance.')
  return problem(
    'CLERK_JWT_KEY is not the key of the instance: no one can sign in.',
    'Copy it from the Clerk dashboard again.',
  )
}

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
