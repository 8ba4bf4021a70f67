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
  test('is for anybody on any site, and is told unchanged', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const answer = await server().request('/api/v1/openapi.json', { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const { openapi, info, servers } = (await answer.json()) as Description
    expect(openapi).toMatch(/^3\.1\./)
    expect(info.title).toContain('Rangoli & <friends>')
    expect(servers[0]?.url).toBe(`${server().url}/api/v1`)

    const etag = answer.headers.get('etag') ?? ''
    const again = await server().request('/api/v1/openapi.json', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    // Made from a Host header, it is nothing for a cache that others share.
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('names the site by PUBLIC_URL, and may be kept by caches', async () => {
    const site = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    const answer = await site.request('/api/v1/openapi.json')
    expect(answer.headers.get('cache-control')).toMatch(/^public/)
    expect(((await answer.json()) as Description).servers[0]?.url).toBe('https://pictures.example.org/api/v1')
  })

  test('is answered to HEAD without a body, and to nothing else', async () => {
    const head = await server().request('/api/v1/openapi.json', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const [method, address] of [
      ['POST', '/api/v1/openapi.json'],
      ['PUT', '/api/v1/docs'],
      ['GET', '/api/v1/docs/'],
      ['GET', '/api/v1/openapi.yaml'],
    ] as const) {
      const answer = await server().request(address, { method })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ success: false, error: 'Not found.' })
    }
  })
})

describe('/api/v1/docs', () => {
  test('is a page of our own files, under a policy of its own', async () => {
    const answer = await server().request('/api/v1/docs')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/html')
    const html = await answer.text()
    expect(html).toContain('Rangoli &amp; &lt;friends&gt;')
    expect(html).toContain('src="/assets/reference.js"')
    expect(html).toContain('<noscript>')

    const policy = answer.headers.get('content-security-policy') ?? ''
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
