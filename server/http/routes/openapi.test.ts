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
