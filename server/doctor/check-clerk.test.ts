import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { answerJson } from '../engines/openai/provider-answers.ts'
import { startProviderDouble, type Answer } from '../engines/openai/provider-double.ts'
import { clerkEnv, keySet, webhookSecret } from '../http/test-clerk.ts'
import { checkClerk } from './check-clerk.ts'
import { linesOf } from './test-findings.ts'

const secretKey = 'sk_test_rangoli'
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
const otherKeys = { keys: [{ ...otherKey.export({ format: 'jwk' }), kid: 'ins_other' }] }

/** Clerk's backend API, which takes the one secret key. */
const backend =
  (keys: unknown): Answer =>
  (exchange) =>
    exchange.request.headers.authorization === `Bearer ${secretKey}`
      ? answerJson(keys)(exchange)
      : answerJson({ errors: [{ code: 'clerk_key_invalid' }] }, { status: 401 })(exchange)

interface Situation {
  readonly env?: Record<string, string>
  readonly backend?: Answer
  readonly frontend?: Answer
  readonly isDown?: boolean
}

async function examine(situation: Situation = {}): Promise<string[]> {
  const double = await startProviderDouble([], {
    '/v1/jwks': situation.backend ?? backend(keySet),
    '/.well-known/jwks.json': situation.frontend ?? answerJson(keySet),
  })
  onTestFinished(double.stop)
  if (situation.isDown) await double.stop()
  const { auth } = parseConfig(clerkEnv({ CLERK_SECRET_KEY: secretKey, ...situation.env }), '/srv')
  if (auth.kind !== 'clerk') throw new Error('This is about Clerk.')
  const lines = linesOf(await checkClerk(auth, { backend: double.origin, frontend: double.origin }))
  for (const secret of [auth.secretKey, webhookSecret]) expect(lines.join('\n')).not.toContain(secret)
  return lines
}

const problemsOf = (lines: readonly string[]) => lines.filter((line) => line.startsWith('problem'))

test('keys that fit', async () => {
  expect(await examine()).toEqual([
    'ok: Accounts are kept at Clerk, in the instance clerk.rangoli.test.',
    expect.stringMatching(/^note: The keys are of a development instance\. → .*pk_live_/),
    'ok: Its frontend API answers.',
    'ok: Clerk takes CLERK_SECRET_KEY.',
    'ok: CLERK_JWT_KEY is the key of the instance.',
    expect.stringMatching(/^note: CLERK_WEBHOOK_SIGNING_SECRET is not set/),
    expect.stringMatching(/^note: CLERK_ADMINISTRATORS is not set/),
  ])
  const env = { CLERK_WEBHOOK_SIGNING_SECRET: webhookSecret, CLERK_ADMINISTRATORS: 'user_a,user_b' }
  expect((await examine({ env })).slice(-2)).toEqual([
    'ok: CLERK_WEBHOOK_SIGNING_SECRET is set.',
    'ok: CLERK_ADMINISTRATORS names 2 people.',
  ])
})

test('a secret key that Clerk does not take', async () => {
  expect(problemsOf(await examine({ env: { CLERK_SECRET_KEY: 'sk_test_hush' } }))).toEqual([
    'problem: Clerk refuses CLERK_SECRET_KEY (401). → Copy the one that starts with sk_ from the Clerk dashboard again.',
  ])
})

test('a secret key of another instance', async () => {
  expect(problemsOf(await examine({ backend: backend(otherKeys) }))).toEqual([
    expect.stringMatching(/^problem: CLERK_SECRET_KEY is of another instance than CLERK_PUBLISHABLE_KEY\./),
  ])
})

test('a JWT key of another instance, or none', async () => {
  const CLERK_JWT_KEY = otherKey.export({ type: 'spki', format: 'pem' }).toString()
  expect(problemsOf(await examine({ env: { CLERK_JWT_KEY } }))).toEqual([
    expect.stringMatching(/^problem: CLERK_JWT_KEY is not the key of the instance: nobody can sign in\./),
  ])
  expect((await examine({ env: { CLERK_JWT_KEY: '' } })).join('\n')).toContain(
    'note: CLERK_JWT_KEY is not set',
  )
})

test('an instance that is not there', async () => {
  const notFound = answerJson({ errors: [] }, { status: 404 })
  expect(problemsOf(await examine({ frontend: notFound }))).toEqual([
    expect.stringMatching(/^problem: The frontend API that CLERK_PUBLISHABLE_KEY names.*it answered 404/),
  ])
})

test('without a way to Clerk nothing is verified, and nothing is wrong', async () => {
  const lines = await examine({ isDown: true })
  expect(problemsOf(lines)).toEqual([])
  expect(lines.slice(2, 5)).toEqual([
    expect.stringMatching(/^note: The frontend API .* can't be reached from here \(ECONNREFUSED\)/),
    expect.stringMatching(/^note: CLERK_SECRET_KEY is not verified: .* \(ECONNREFUSED\)/),
    expect.stringMatching(/^note: CLERK_JWT_KEY is a key, but/),
  ])
})

test('an answer that is no key set', async () => {
  const lines = await examine({ backend: answerJson('busy', { status: 503 }) })
  expect(problemsOf(lines)).toEqual([])
  expect(lines.join('\n')).toContain('note: CLERK_SECRET_KEY is not verified: Clerk answered 503.')
})
