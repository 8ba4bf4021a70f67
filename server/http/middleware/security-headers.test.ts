import { describe, expect, test } from 'vitest'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer()

describe.each([
  ['the gallery', '/', 200],
  ['a page that is not there', '/nowhere', 404],
  ['a file of the client', '/assets/main.js', 200],
  ['a procedure', '/trpc/posts.list', 200],
  ['a procedure that is not there', '/trpc/posts.none', 404],
  ['a REST call', '/api/v1/post', 200],
  ['a REST call that fails', '/api/v1/post?limit=x', 400],
  ['an account call', '/api/auth/get-session', 200],
  ['an image that is not there', '/uploads/AAAAAAAAAAAAAAAAAAAAAA/original.jpg', 404],
])('%s', (_, address, status) => {
  test('forbids type sniffing, framing and device access', async () => {
    const { status: found, headers } = await server().request(address)
    expect(found).toBe(status)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('strict-transport-security')).toBeNull()
  })
})

test('stored images have policies of their own', async () => {
  const asha = await server().signUp()
  const { photo } = await asha.generate('A lotus')
  const { headers } = await server().request(photo, { headers: server().headersOf(asha) })
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

describe('Strict-Transport-Security', () => {
  const oneYear = 'max-age=31536000'

  test('is set if PUBLIC_URL is https', async () => {
    const own = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    for (const address of ['/', '/api/v1/post', '/nowhere']) {
      expect((await own.request(address)).headers.get('strict-transport-security')).toBe(oneYear)
    }
  })

  test('is set if a trusted proxy reports https', async () => {
    const { headers } = await server().request('/', { headers: { 'x-forwarded-proto': 'https' } })
    expect(headers.get('strict-transport-security')).toBe(oneYear)
  })

  test('is not set if an untrusted client reports https', async () => {
    const own = await startTestServer({ env: { TRUST_PROXY: 'off' } })
    const { headers } = await own.request('/', { headers: { 'x-forwarded-proto': 'https' } })
    expect(headers.get('strict-transport-security')).toBeNull()
  })
})
