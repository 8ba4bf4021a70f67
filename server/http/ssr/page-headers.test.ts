import { describe, expect, test } from 'vitest'
import { clerkEnv, issuer } from '../../../test/support/clerk.ts'
import { shareTestServer, type TestServer } from '../../../test/support/test-server.ts'

/** The sources of a page's policy by directive. */
async function policyOf(server: TestServer): Promise<Record<string, string[]>> {
  const header = (await server.request('/create-post')).headers.get('content-security-policy') ?? ''
  const directives = header.split(';').map((directive) => directive.trim().split(/\s+/))
  return Object.fromEntries(directives.map(([name = '', ...sources]) => [name, sources]))
}

const inline = expect.stringMatching(/^'sha256-[\w+/]+=*'$/)

const alwaysThere = {
  'default-src': ["'none'"],
  'style-src-attr': ["'unsafe-inline'"],
  'manifest-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
}

describe('with local accounts', () => {
  const server = shareTestServer()

  test('pages load from this site only', async () => {
    expect(await policyOf(server())).toEqual({
      ...alwaysThere,
      'script-src': ["'self'", inline, inline, inline],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'connect-src': ["'self'"],
      'worker-src': ["'self'"],
    })
  })
})

describe('with Clerk', () => {
  const server = shareTestServer({ env: clerkEnv() })

  test('pages also load what Clerk needs, and no other inline script', async () => {
    const botProtection = 'https://challenges.cloudflare.com'
    const fraudProtection = 'https://*.protect.clerk.com'
    expect(await policyOf(server())).toEqual({
      ...alwaysThere,
      'script-src': ["'self'", inline, inline, inline, issuer, botProtection, fraudProtection],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:', 'blob:', 'https://img.clerk.com'],
      'connect-src': ["'self'", issuer, `${fraudProtection}:*`],
      'frame-src': [botProtection, fraudProtection],
      'worker-src': ["'self'", 'blob:'],
    })
  })

  test('pages do not contain secret keys', async () => {
    const page = await (await server().request('/create-post')).text()
    expect(page).not.toContain('sk_test_rangoli')
    expect(page).not.toContain('PUBLIC KEY')
  })
})
