import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clerkEnv, keySet } from '../../../test/support/clerk.ts'
import { linesOf } from '../../../test/support/doctor.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { scriptedClient, startScriptedProvider } from '../../../test/support/oidc/scripted-provider.ts'
import { respondJson } from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { parseConfig } from '../../config/config.ts'
import { checkClerk, checkLocalAccounts, checkProvider } from './sign-in.ts'

describe('local accounts', () => {
  async function check(folder: string, env: Record<string, string> = {}): Promise<string[]> {
    const config = parseConfig(env, folder)
    if (config.auth.kind !== 'local') throw new Error('This is about local accounts.')
    return linesOf(checkLocalAccounts(config, config.auth))
  }

  test('have a secret that the first start generates, unless it is set', async () => {
    const folder = await tempFolder()
    expect(await check(folder)).toEqual([
      'ok: Administrators choose who may sign up, at most 100 an hour from one network.',
      `ok: AUTH_SECRET is not set; the first start generates one and stores it in ${folder}/data/auth-secret.`,
    ])
    expect(await check(folder, { SIGN_UP: 'closed', AUTH_SECRET: 'hush'.repeat(10) })).toEqual([
      'ok: Sign-up is closed: npm run account -- add EMAIL creates accounts.',
      'ok: AUTH_SECRET is set.',
    ])
  })

  test.each([
    ['x'.repeat(43), 0o600, /^ok: .* only its owner may read\.$/],
    [
      'x'.repeat(43),
      0o640,
      /^problem: Other users of this machine may read the secret .* chmod 600 \/.*secret$/,
    ],
    ['x'.repeat(12), 0o600, /^problem: The secret in .* is cut short\. → Delete the file/],
  ])('have a stored secret, such as %s with mode %i', async (secret, mode, line) => {
    const folder = await tempFolder()
    const file = path.join(folder, 'data/auth-secret')
    await mkdir(path.dirname(file))
    await writeFile(file, secret)
    await chmod(file, mode)
    const lines = await check(folder)
    expect(lines.at(-1)).toMatch(line)
    expect(lines.join('\n')).not.toContain(secret)
  })
})

describe('Clerk', () => {
  const secretKey = 'sk_test_rangoli'
  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const otherKeys = { keys: [{ ...otherKey.export({ format: 'jwk' }), kid: 'ins_other' }] }

  /** Clerk's backend API, which accepts one secret key. */
  const backend =
    (keys: unknown): Responder =>
    (exchange) =>
      exchange.request.headers.authorization === `Bearer ${secretKey}`
        ? respondJson(keys)(exchange)
        : respondJson({ errors: [{ code: 'clerk_key_invalid' }] }, { status: 401 })(exchange)

  interface Clerk {
    readonly env?: Record<string, string>
    readonly backend?: Responder
    readonly frontend?: Responder
    readonly isDown?: boolean
  }

  async function check(clerk: Clerk = {}): Promise<string[]> {
    const provider = await startFakeProvider([], {
      '/v1/jwks': clerk.backend ?? backend(keySet),
      '/.well-known/jwks.json': clerk.frontend ?? respondJson(keySet),
    })
    onTestFinished(provider.stop)
    if (clerk.isDown) await provider.stop()
    const { auth } = parseConfig(clerkEnv({ CLERK_SECRET_KEY: secretKey, ...clerk.env }), '/srv')
    if (auth.kind !== 'clerk') throw new Error('This is about Clerk.')
    const lines = await linesOf(checkClerk(auth, provider.origin, provider.origin))
    expect(lines.join('\n')).not.toContain(auth.secretKey)
    return lines
  }

  test('may have keys of one instance', async () => {
    expect(await check()).toEqual([
      'ok: Accounts are stored at Clerk, in the instance clerk.rangoli.test.',
      'ok: Its frontend API answers.',
      'ok: Clerk accepts CLERK_SECRET_KEY.',
    ])
  })

  const CLERK_JWT_KEY = otherKey.export({ type: 'spki', format: 'pem' }).toString()
  const notFound = respondJson({ errors: [] }, { status: 404 })

  test.each<[string, Clerk, RegExp]>([
    [
      'a rejected key',
      { env: { CLERK_SECRET_KEY: 'sk_test_hush' } },
      /Clerk rejects CLERK_SECRET_KEY \(401\)/,
    ],
    ['another instance', { backend: backend(otherKeys) }, /CLERK_SECRET_KEY belongs to another instance/],
    ['a JWT key of another', { env: { CLERK_JWT_KEY } }, /CLERK_JWT_KEY is not the key of the instance/],
    ['no instance', { frontend: notFound }, /The frontend API that CLERK_PUBLISHABLE_KEY names.*404/],
  ])('may have %s', async (_, clerk, text) => {
    const problems = (await check(clerk)).filter((line) => line.startsWith('problem'))
    expect(problems).toEqual([expect.stringMatching(text)])
  })

  test('is not verified where it cannot be reached, or is busy, which is no problem', async () => {
    expect((await check({ isDown: true })).slice(1)).toEqual([
      expect.stringMatching(/^note: The frontend API .* returns no keys \(ECONNREFUSED\)/),
      expect.stringMatching(/^note: CLERK_SECRET_KEY is not verified \(ECONNREFUSED\)/),
    ])
    const lines = await check({ backend: respondJson('busy', { status: 503 }) })
    expect(lines.join('\n')).toContain('note: CLERK_SECRET_KEY is not verified (503).')
  })
})

describe('an OpenID Connect provider', () => {
  const site = 'https://gallery.example.org'

  async function check(
    script: Parameters<typeof startScriptedProvider>[0] = {},
    { isDown = false }: { isDown?: boolean } = {},
  ) {
    const provider = await startScriptedProvider(script)
    if (isDown) await provider.stop()
    const config = {
      ...scriptedClient,
      issuer: provider.issuer,
      name: 'Campus',
      adminGroup: null,
      scopes: [],
    }
    const lines = await linesOf(checkProvider(config, site))
    expect(lines.join('\n')).not.toContain(scriptedClient.clientSecret)
    return lines.map((line) => line.replaceAll(provider.issuer, 'ISSUER'))
  }

  test('has addresses to register', async () => {
    expect(await check()).toEqual([
      'ok: Users sign in with Campus, the provider ISSUER.',
      `ok: Its redirect URI for this site must be ${site}/api/auth/callback/oidc`,
      `ok: Its post-logout redirect URI must be ${site}/`,
    ])
  })

  test.each([
    ['cannot be reached', {}, { isDown: true }, /^problem: .* cannot be reached/],
    ['does not exist', { status: 404 }, {}, /^problem: .* answered 404/],
    ['has another name', { metadata: { issuer: 'https://id.example.org/' } }, {}, /^problem: .*id\.example/],
    ['lacks an endpoint', { metadata: { token_endpoint: undefined } }, {}, /^problem: .* token_endpoint/],
    [
      'publishes no keys',
      { metadata: { jwks_uri: 'http://127.0.0.1:9/' } },
      {},
      /^problem: .* cannot be reached/,
    ],
    [
      'signs without a public key',
      { metadata: { id_token_signing_alg_values_supported: ['HS256'] } },
      {},
      /^problem: The provider signs ID tokens without a public key/,
    ],
  ])('is reported if it %s', async (_, script, options, line) => {
    expect(await check(script, options)).toContainEqual(expect.stringMatching(line))
  })
})
