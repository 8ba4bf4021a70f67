import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import { respondJson } from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { clerkEnv, keySet, webhookSecret } from '../../../test/support/clerk.ts'
import { checkClerk } from './sign-in.ts'
import { linesOf } from '../../../test/support/doctor.ts'

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
  const lines = linesOf(await checkClerk(auth, provider.origin, provider.origin))
  for (const secret of [auth.secretKey, webhookSecret]) expect(lines.join('\n')).not.toContain(secret)
  return lines
}

const problemsOf = (lines: readonly string[]) => lines.filter((line) => line.startsWith('problem'))

test('accepts keys of one instance', async () => {
  expect(await check()).toEqual([
    'ok: Accounts are stored at Clerk, in the instance clerk.rangoli.test.',
    expect.stringMatching(/^note: The keys are of a development instance\. → .*pk_live_/),
    'ok: Its frontend API answers.',
    'ok: Clerk accepts CLERK_SECRET_KEY.',
    'ok: CLERK_JWT_KEY is the key of the instance.',
    expect.stringMatching(/^note: CLERK_WEBHOOK_SIGNING_SECRET is not set/),
    expect.stringMatching(/^note: CLERK_ADMINISTRATORS is not set/),
  ])
  const env = { CLERK_WEBHOOK_SIGNING_SECRET: webhookSecret, CLERK_ADMINISTRATORS: 'user_a,user_b' }
  expect((await check({ env })).slice(-2)).toEqual([
    'ok: CLERK_WEBHOOK_SIGNING_SECRET is set.',
    'ok: CLERK_ADMINISTRATORS names 2 users.',
  ])
})

test('reports a secret key that Clerk rejects', async () => {
  expect(problemsOf(await check({ env: { CLERK_SECRET_KEY: 'sk_test_hush' } }))).toEqual([
    'problem: Clerk rejects CLERK_SECRET_KEY (401). → Copy the one that starts with sk_ from the Clerk dashboard again.',
  ])
})

test('reports a secret key of another instance', async () => {
  expect(problemsOf(await check({ backend: backend(otherKeys) }))).toEqual([
    expect.stringMatching(
      /^problem: CLERK_SECRET_KEY belongs to another instance than CLERK_PUBLISHABLE_KEY\./,
    ),
  ])
})

test('reports a JWT key of another instance, and notes a missing one', async () => {
  const CLERK_JWT_KEY = otherKey.export({ type: 'spki', format: 'pem' }).toString()
  expect(problemsOf(await check({ env: { CLERK_JWT_KEY } }))).toEqual([
    expect.stringMatching(/^problem: CLERK_JWT_KEY is not the key of the instance: no one can sign in\./),
  ])
  expect((await check({ env: { CLERK_JWT_KEY: '' } })).join('\n')).toContain('note: CLERK_JWT_KEY is not set')
})

test('reports an instance that does not exist', async () => {
  const notFound = respondJson({ errors: [] }, { status: 404 })
  expect(problemsOf(await check({ frontend: notFound }))).toEqual([
    expect.stringMatching(/^problem: The frontend API that CLERK_PUBLISHABLE_KEY names.*it answered 404/),
  ])
})

test('verifies nothing where Clerk cannot be reached, which is no problem', async () => {
  const lines = await check({ isDown: true })
  expect(problemsOf(lines)).toEqual([])
  expect(lines.slice(2, 5)).toEqual([
    expect.stringMatching(/^note: The frontend API .* cannot be reached from here \(ECONNREFUSED\)/),
    expect.stringMatching(/^note: CLERK_SECRET_KEY is not verified: .* \(ECONNREFUSED\)/),
    expect.stringMatching(/^note: CLERK_JWT_KEY is not verified/),
  ])
})

test('does not verify against an answer that is not a key set', async () => {
  const lines = await check({ backend: respondJson('busy', { status: 503 }) })
  expect(problemsOf(lines)).toEqual([])
  expect(lines.join('\n')).toContain('note: CLERK_SECRET_KEY is not verified: Clerk answered 503.')
})
