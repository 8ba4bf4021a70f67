import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: { SITE_NAME: 'Rangoli & <friends>' } })

interface Description {
  readonly openapi: string
  readonly info: { readonly title: string }
  readonly servers: readonly { readonly url: string }[]
}

describe('/api/v1/openapi.json', () => {
  test('is readable from any origin, and responds 304 to its ETag', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const response = await server().request('/api/v1/openapi.json', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const { openapi, info, servers } = (await response.json()) as Description
    expect(openapi).toMatch(/^3\.1\./)
    expect(info.title).toContain('Rangoli & <friends>')
    expect(servers[0]?.url).toBe(`${server().url}/api/v1`)

    const etag = response.headers.get('etag') ?? ''
    const again = await server().request('/api/v1/openapi.json', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    // Its URLs are made from a Host header.
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('contains PUBLIC_URL, and is cacheable then', async () => {
    const site = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    const response = await site.request('/api/v1/openapi.json')
    expect(response.headers.get('cache-control')).toMatch(/^public/)
    expect(((await response.json()) as Description).servers[0]?.url).toBe(
      'https://pictures.example.org/api/v1',
    )
  })

  test('responds to GET and HEAD only', async () => {
    const head = await server().request('/api/v1/openapi.json', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const [method, address] of [
      ['POST', '/api/v1/openapi.json'],
      ['PUT', '/api/v1/docs'],
      ['GET', '/api/v1/docs/'],
      ['GET', '/api/v1/openapi.yaml'],
    ] as const) {
      const response = await server().request(address, { method })
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ success: false, error: 'Not found.' })
    }
  })
})

describe('/api/v1/docs', () => {
  test('is a page of the site’s own files, with its own policy', async () => {
    const response = await server().request('/api/v1/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
    const html = await response.text()
    expect(html).toContain('Rangoli &amp; &lt;friends&gt;')
    expect(html).toContain('src="/assets/reference.js"')
    expect(html).toContain('<noscript>')

    const policy = response.headers.get('content-security-policy') ?? ''
    const inline = [...html.matchAll(/<script>([^<]*)<\/script>/g)].map(
      ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    )
    expect(inline).toHaveLength(1)
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src 'self' ${inline[0]}`, "style-src 'self'"]),
    )
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:/)
  })
})
