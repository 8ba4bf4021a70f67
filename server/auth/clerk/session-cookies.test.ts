import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { clerkEnv, mintToken, publishableKey } from '../../../test/support/clerk.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: clerkEnv() })

const suffixFor = (key: string) =>
  createHash('sha1').update(key).digest('base64').replaceAll('+', '-').replaceAll('/', '_').slice(0, 8)
const ours = suffixFor(publishableKey)

const tokenOf = (sub: string, more = {}) => mintToken({ azp: server().url, sub, ...more })
const expired = () => tokenOf('user_old', { exp: Math.floor(Date.now() / 1000) - 60 })

async function idFor(cookie: string): Promise<string | null> {
  const viewer = await server().client({ cookie }).viewer.query()
  return viewer?.id ?? null
}

describe('the session cookie of Clerk’s script', () => {
  test.each<[string, () => string, string | null]>([
    ['under the name that all share', () => `__session=${tokenOf('user_asha')}`, 'user_asha'],
    ['under the name that is ours alone', () => `__session_${ours}=${tokenOf('user_asha')}`, 'user_asha'],
    [
      'under both names: ours alone counts',
      () => `__session=${tokenOf('user_meera')}; __session_${ours}=${tokenOf('user_asha')}`,
      'user_asha',
    ],
    [
      'expired under the one name, good under the other',
      () => `__session_${ours}=${expired()}; __session=${tokenOf('user_asha')}`,
      'user_asha',
    ],
    [
      'of another application on the host, and ours',
      () =>
        `__session=${tokenOf('user_eve', { iss: 'https://clerk.other.example' })}; __session_${ours}=${tokenOf('user_asha')}`,
      'user_asha',
    ],
    ['among others', () => `theme=hc; __session=${tokenOf('user_asha')}; __client_uat=5`, 'user_asha'],
    [
      'under the name of another instance',
      () => `__session_${suffixFor('pk_test_other')}=${tokenOf('user_asha')}`,
      null,
    ],
    ['expired', () => `__session=${expired()}`, null],
    ['of another kind of session', () => '__session=eyJ1c2VyIjoxfQ.c2lnbmF0dXJl', null],
    ['empty', () => '__session=', null],
    ['without a value', () => '__session', null],
    ['unreadable', () => '__session=%E0%A4%A', null],
    ['of characters that no header can hold', () => '__session=%F0%9F%AA%94.%F0%9F%AA%94.%F0%9F%AA%94', null],
  ])('%s', async (_, cookie, id) => {
    expect(await idFor(cookie())).toBe(id)
  })
})

describe('a write with the cookie', () => {
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
      const answer = await generate({ cookie: `__session=${tokenOf('user_asha')}`, ...from })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toEqual({ success: false, error: 'This request came from another site.' })
    },
  )

  test('is rejected without a valid cookie', async () => {
    const answer = await generate({ cookie: `__session=${expired()}`, origin: server().url })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({ success: false, error: 'Please sign in first.' })
  })

  test('is ignored if the request has a bearer token', async () => {
    const cookie = `__session=${tokenOf('user_asha')}`
    const foreign = { cookie, origin: 'https://app.example' }
    const meera = `Bearer ${tokenOf('user_meera')}`
    expect((await generate({ ...foreign, authorization: meera })).status).toBe(200)
    expect((await generate({ ...foreign, authorization: 'Bearer a.b.c' })).status).toBe(401)
    const quota = await server().client({ authorization: meera }).images.quota.query()
    expect(quota.used).toBe(1)
  })
})
