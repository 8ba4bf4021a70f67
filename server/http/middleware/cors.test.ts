import { describe, expect, test } from 'vitest'
import { shareTestServer } from '../../../test/support/test-server.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { API_TOKEN: token, DAILY_IMAGE_LIMIT: '0' } })
const origin = 'https://app.example'

function withOrigin(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('origin', origin)
  return { ...init, headers }
}

describe('scripts of any site may call with a token', () => {
  test.each(['/trpc/images.generate', '/trpc/posts.list', '/api/v1/post', '/api/v1/imgGenerate'])(
    'at %s',
    async (address) => {
      const headers = 'authorization,content-type,idempotency-key,trpc-accept'
      const preflight = await server().request(address, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': headers,
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
      const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)
      expect(allowed).toEqual(expect.arrayContaining(headers.split(',')))
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  test('and read the link to the next page and how long to wait', async () => {
    const answer = await server().request('/api/v1/post', { headers: { origin } })
    const exposed = answer.headers.get('access-control-expose-headers')?.split(/, */)
    expect(exposed).toEqual(expect.arrayContaining(['Link', 'Retry-After']))
  })
})

describe('failures can be read from another site too', () => {
  const authorization = `Bearer ${token}`
  test.each<[string, string, RequestInit, number]>([
    ['400', '/api/v1/post?limit=0', {}, 400],
    ['401', '/api/v1/post', { method: 'POST', body: '{}' }, 401],
    ['404', '/api/v1/nothing', {}, 404],
    ['404 of tRPC', '/trpc/nothing', {}, 404],
    [
      '413',
      '/api/v1/imgGenerate',
      { method: 'POST', headers: { authorization }, body: 'x'.repeat(2_000_000) },
      413,
    ],
    [
      '413 of tRPC',
      '/trpc/images.generate',
      { method: 'POST', headers: { authorization }, body: 'x'.repeat(2_000_000) },
      413,
    ],
    [
      '429',
      '/api/v1/imgGenerate',
      { method: 'POST', headers: { authorization }, body: '{"prompt":"x"}' },
      429,
    ],
  ])('%s', async (_, address, init, status) => {
    const answer = await server().request(address, withOrigin(init))
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('what is for browsers of this site alone says nothing to others', () => {
  test.each(['/', '/create-post', '/api/auth/get-session'])('%s', async (address) => {
    const answer = await server().request(address, { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('not even in a preflight of the accounts', async () => {
    const answer = await server().request('/api/auth/sign-in/email', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})
