import { readFile, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import path from 'node:path'
import { authSecretFile } from '../../auth/auth-secret.ts'
import { jwksTimeoutMs, readKeySet } from '../../auth/clerk/signing-keys.ts'
import { discoverProvider, fetchFromProvider, ProviderError } from '../../auth/oidc/oidc-client.ts'
import type { ClerkAuthConfig, LocalAuthConfig, OidcConfig } from '../../config/auth-section.ts'
import type { Config } from '../../config/config.ts'
import { nullIfMissing, systemCode } from '../../files/disk-files.ts'
import { note, ok, problem, type Line, type Lines } from './report.ts'
import { request } from './request.ts'

export async function* checkSignIn(config: Config): Lines {
  const { auth, publicOrigin } = config
  if (auth.kind === 'clerk') yield* checkClerk(auth)
  else {
    yield* checkLocalAccounts(config, auth)
    if (auth.provider && publicOrigin !== null) yield* checkProvider(auth.provider, publicOrigin)
  }
}

export async function* checkLocalAccounts(
  { database }: Config,
  { signUp, hourlySignUpLimit, secret }: LocalAuthConfig,
): Lines {
  const limit = `at most ${hourlySignUpLimit} an hour from one network`
  if (signUp === 'closed') yield ok('Sign-up is closed: npm run account -- add EMAIL creates accounts.')
  else if (signUp === null) yield ok(`Administrators choose who may sign up, ${limit}.`)
  else yield ok(`Accounts are stored in the database; sign-up is ${signUp}, ${limit}.`)
  yield secret === null && database.kind === 'sqlite'
    ? await checkSecretFile(authSecretFile(path.dirname(database.file)))
    : ok('AUTH_SECRET is set.')
}

async function checkSecretFile(file: string): Promise<Line> {
  try {
    const stats = await nullIfMissing(stat(file))
    if (!stats) return ok(`AUTH_SECRET is not set; the first start generates one and stores it in ${file}.`)
    if ((await readFile(file, 'utf8')).trim().length < 32) {
      const fix = 'Delete the file; the next start generates a new one.'
      return problem(`The secret in ${file} is cut short.`, fix)
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

/** Checks that Clerk accepts the keys and that all are of one instance, with two reads. */
export async function* checkClerk(
  auth: ClerkAuthConfig,
  backendOrigin = 'https://api.clerk.com',
  frontendOrigin = `https://${auth.frontendApi}`,
): Lines {
  const [backend, frontend] = await Promise.all([
    fetchSigningKeys(`${backendOrigin}/v1/jwks`, { authorization: `Bearer ${auth.secretKey}` }),
    fetchSigningKeys(`${frontendOrigin}/.well-known/jwks.json`),
  ])
  yield ok(`Accounts are stored at Clerk, in the instance ${auth.frontendApi}.`)
  if (frontend.pems.length > 0) yield ok('Its frontend API answers.')
  else {
    const text = `The frontend API that CLERK_PUBLISHABLE_KEY names, ${frontendOrigin}, returns no keys (${frontend.answer}).`
    const fix = 'Copy the key from the Clerk dashboard again, and check that its domain is set up.'
    yield typeof frontend.answer === 'string' ? note(text) : problem(text, fix)
  }
  if (backend.answer === 401 || backend.answer === 403) {
    const fix = 'Copy the one that starts with sk_ from the Clerk dashboard again.'
    yield problem(`Clerk rejects CLERK_SECRET_KEY (${backend.answer}).`, fix)
  } else if (backend.pems.length === 0) {
    yield note(`CLERK_SECRET_KEY is not verified (${backend.answer}).`, 'Try again later.')
  } else if (frontend.pems.length > 0 && !frontend.pems.some((pem) => backend.pems.includes(pem))) {
    const fix = 'Copy both from the same instance in the Clerk dashboard.'
    yield problem('CLERK_SECRET_KEY belongs to another instance than CLERK_PUBLISHABLE_KEY.', fix)
  } else yield ok('Clerk accepts CLERK_SECRET_KEY.')
  // The frontend API signs.
  const { pems } = frontend.pems.length > 0 ? frontend : backend
  if (auth.jwtKey !== null && pems.length > 0 && !pems.includes(auth.jwtKey)) {
    const text = 'CLERK_JWT_KEY is not the key of the instance: no one can sign in.'
    yield problem(text, 'Copy it from the Clerk dashboard again.')
  }
}

/**
 * Uses plain fetch, because Clerk's SDK has no timeout.
 *
 * @returns no keys where the answer, the status or the network error, has none
 */
async function fetchSigningKeys(url: string, headers: Record<string, string> = {}) {
  const answer = await request(url, { headers, timeoutMs: jwksTimeoutMs })
  let pems: readonly string[] = []
  if ('error' in answer) return { pems, answer: answer.error }
  try {
    if (answer.status === 200) pems = [...readKeySet(JSON.parse(answer.text)).values()]
  } catch {
    // Not a key set, and described as such.
  }
  return { pems, answer: answer.status }
}

/**
 * Checks that the OpenID Connect provider can sign users in, with two reads. The client's credentials cannot be checked without
 * a user.
 *
 * @param publicOrigin origin of the site
 */
export async function* checkProvider(provider: OidcConfig, publicOrigin: string): Lines {
  const { issuer, name } = provider
  try {
    const metadata = (await discoverProvider(provider)).serverMetadata()
    yield ok(`Users sign in with ${name}, the provider ${issuer}.`)
    await fetchFromProvider(metadata.jwks_uri ?? '')
    const algorithms = metadata.id_token_signing_alg_values_supported ?? ['RS256']
    if (!algorithms.some((algorithm) => /^(?:RS|PS|ES|Ed)/.test(algorithm))) {
      const fix = 'Choose a signing key with RS256 or ES256 at the provider.'
      yield problem('The provider signs ID tokens without a public key.', fix)
    }
    yield ok(`Its redirect URI for this site must be ${publicOrigin}/api/auth/callback/oidc`)
    if (metadata.end_session_endpoint !== undefined)
      yield ok(`Its post-logout redirect URI must be ${publicOrigin}/`)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const fix =
      'Start the provider, or copy OIDC_ISSUER from it, with its path; this machine has to reach it too.'
    yield problem(`The sign-in provider ${name} cannot be used. ${error.message}`, fix)
  }
}
