import { expect, test } from 'vitest'
import { linesOf } from '../../../test/support/doctor.ts'
import { scriptedClient, startScriptedProvider } from '../../../test/support/oidc/scripted-provider.ts'
import { checkProvider } from './sign-in.ts'

const site = 'https://gallery.example.org'

type Script = Parameters<typeof startScriptedProvider>[0]

async function check(
  script: Script = {},
  options: { adminGroup?: string; scopes?: string[]; isDown?: boolean } = {},
) {
  const provider = await startScriptedProvider(script)
  if (options.isDown) await provider.stop()
  const { adminGroup = null, scopes = [] } = options
  const config = { ...scriptedClient, issuer: provider.issuer, name: 'Campus', adminGroup, scopes }
  const lines = linesOf(await checkProvider(config, site))
  expect(lines.join('\n')).not.toContain(scriptedClient.clientSecret)
  return lines.map((line) => line.replaceAll(provider.issuer, 'ISSUER'))
}

test('names the addresses to register at a provider that works', async () => {
  expect(await check()).toEqual([
    'ok: Users sign in with Campus, the provider ISSUER.',
    'ok: The provider publishes the keys that verify its ID tokens.',
    `ok: Its redirect URI for this site must be ${site}/api/auth/callback/oidc`,
    `ok: Signing out here signs users out there; its post-logout redirect URI must be ${site}/`,
    'note: OIDC_ADMIN_GROUP is not set: no role comes from the provider.',
  ])
})

test.each([
  ['cannot be reached', {}, { isDown: true }, /^problem: .* cannot be reached .*ECONNREFUSED/],
  ['does not exist', { status: 404 }, {}, /^problem: .* answered 404/],
  [
    'has another name',
    { metadata: { issuer: 'https://id.example.org/' } },
    {},
    /^problem: .* → Set OIDC_ISSUER to https:\/\/id\.example\.org\/$/,
  ],
  ['lacks an endpoint', { metadata: { token_endpoint: undefined } }, {}, /^problem: .* token_endpoint/],
])('reports a provider that %s', async (_, script, options, line) => {
  expect(await check(script, options)).toEqual([expect.stringMatching(line)])
})

test('reports ID tokens without a public key', async () => {
  const lines = await check({ metadata: { id_token_signing_alg_values_supported: ['HS256'] } })
  expect(lines).toContainEqual(
    expect.stringMatching(/^problem: The provider signs ID tokens with HS256.* → Choose a signing key/),
  )
  const missing = await check({ metadata: { jwks_uri: 'http://127.0.0.1:9/jwks' } })
  expect(missing).toContainEqual(expect.stringMatching(/^problem: The provider's keys cannot be read/))
})

test('notes a provider that ends no sessions', async () => {
  const lines = await check({ metadata: { end_session_endpoint: undefined } })
  expect(lines).toContainEqual(expect.stringMatching(/^note: The provider has no end_session_endpoint/))
})

test('notes a group that the provider is not asked for', async () => {
  const script = { metadata: { scopes_supported: ['openid', 'groups'] } }
  expect(await check(script, { adminGroup: 'admins' })).toContainEqual(
    expect.stringMatching(/^note: .* → Set OIDC_SCOPES=groups\.$/),
  )
  expect(await check(script, { adminGroup: 'admins', scopes: ['groups'] })).toContainEqual(
    'ok: Members of admins are administrators, if the provider sends the claim groups.',
  )
})
