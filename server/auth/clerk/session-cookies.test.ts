import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { clerkEnv, mintToken, publishableKey } from '../../../test/support/clerk.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: clerkEnv() })

const suffixFor = (key: string) =>
  createHash('sha1').update(key).digest('base64').replaceAll('+', '-').replaceAll('/', '_').slice(0, 8)
const suffix = suffixFor(publishableKey)

const tokenOf = (sub: string, more = {}) => mintToken({ azp: server().url, sub, ...more })
const expired = () => tokenOf('user_old', { exp: Math.floor(Date.now() / 1000) - 60 })

async function idFor(cookie: string): Promise<string | null> {
  const viewer = await server().client({ cookie }).viewer.query()
  return viewer?.id ?? null
}

describe('session cookies of Clerk’s script', () => {
  test.each<[string, () => string, string | null]>([
    ['accepts the shared name', () => `__session=${tokenOf('user_asha')}`, 'user_asha'],
    [
      'accepts the name with the suffix of the instance',
      () => `__session_${suffix}=${tokenOf('user_asha')}`,
      'user_asha',
    ],
    [
      'prefers the name with the suffix',
      () => `__session=${tokenOf('user_meera')}; __session_${suffix}=${tokenOf('user_asha')}`,
      'user_asha',
    ],
    [
      'accepts the shared name if the other one has expired',
      () => `__session_${suffix}=${expired()}; __session=${tokenOf('user_asha')}`,
      'user_asha',
    ],
    [
      'ignores the cookie of another application on the host',
      () =>
        `__session=${tokenOf('user_eve', { iss: 'https://clerk.other.example' })}; __session_${suffix}=${tokenOf('user_asha')}`,
      'user_asha',
    ],
    [
      'accepts it among other cookies',
      () => `theme=hc; __session=${tokenOf('user_asha')}; __client_uat=5`,
      'user_asha',
    ],
    [
      'rejects the name with the suffix of another instance',
      () => `__session_${suffixFor('pk_test_other')}=${tokenOf('user_asha')}`,
      null,
    ],
    ['rejects an expired token', () => `__session=${expired()}`, null],
    ['rejects a token of another format', () => '__session=eyJ1c2VyIjoxfQ.c2lnbmF0dXJl', null],
    ['rejects an empty cookie', () => '__session=', null],
    ['rejects a cookie without a value', () => '__session', null],
    ['rejects invalid percent-encoding', () => '__session=%E0%A4%A', null],
    [
      'rejects characters that are invalid in headers',
      () => '__session=%F0%9F%AA%94.%F0%9F%AA%94.%F0%9F%AA%94',
      null,
    ],
  ])('%s', async (_, cookie, id) => {
    expect(await idFor(cookie())).toBe(id)
  })
})

describe('a write with the session cookie', () => {
  const body = JSON.stringify({ prompt: 'A lotus' })
  const generate = (headers: Record<string, string>) =>
    server().request('/api/v1/imgGenerate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })

  test('is accepted from this site', async () => {
    const cookie = `__session=${tokenOf('user_asha')}`
    expect((await generate({ cookie, origin: server().url })).status).toBe(200)
  })

  test.each([{}, { origin: 'https://evil.example' }, { origin: 'null' }])(
    'is rejected from %j',
    async (from) => {
      const response = await generate({ cookie: `__session=${tokenOf('user_asha')}`, ...from })
      expect(response.status).toBe(403)
      expect(await response.json()).toEqual({ success: false, error: 'This request came from another site.' })
    },
  )

  test('is rejected without a valid cookie', async () => {
    const response = await generate({ cookie: `__session=${expired()}`, origin: server().url })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ success: false, error: 'Please sign in first.' })
  })

  test('is authenticated by the bearer token if it has one', async () => {
    const cookie = `__session=${tokenOf('user_asha')}`
    const fromOtherSite = { cookie, origin: 'https://app.example' }
    const meera = `Bearer ${tokenOf('user_meera')}`
    expect((await generate({ ...fromOtherSite, authorization: meera })).status).toBe(200)
    expect((await generate({ ...fromOtherSite, authorization: 'Bearer a.b.c' })).status).toBe(401)
    const quota = await server().client({ authorization: meera }).images.quota.query()
    expect(quota.used).toBe(1)
  })
})
