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

describe('scripts of any origin may call with a bearer token', () => {
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

  test('and read Link and Retry-After', async () => {
    const response = await server().request('/api/v1/post', { headers: { origin } })
    const exposed = response.headers.get('access-control-expose-headers')?.split(/, */)
    expect(exposed).toEqual(expect.arrayContaining(['Link', 'Retry-After']))
  })
})

describe('scripts of other origins can read errors', () => {
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
    const response = await server().request(address, withOrigin(init))
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('pages and account routes allow no other origin', () => {
  test.each(['/', '/create-post', '/api/auth/get-session'])('%s', async (address) => {
    const response = await server().request(address, { headers: { origin } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a preflight of the account routes', async () => {
    const response = await server().request('/api/auth/sign-in/email', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})
