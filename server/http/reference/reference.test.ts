import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { apiKeyScopes } from '../../../shared/account.ts'
import { webhookEvents } from '../../../shared/webhooks.ts'
import { languages } from '../../../src/i18n/messages.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'
import { openApiDocument } from '../../rest/openapi.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { SITE_NAME: 'Rangoli & <friends>', API_TOKEN: token } })

const path = '/api/v1/docs'

async function pageIn(language: string): Promise<string> {
  const response = await server().request(path, { headers: { 'accept-language': language } })
  expect(response.headers.get('content-language')).toBe(language)
  return response.text()
}

/** Content of the page without tags, as a browser shows it. */
function textOf(html: string): string {
  const content = html.slice(html.indexOf('<article'), html.indexOf('</article>'))
  return content
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

/** Every sentence of `openapi.json` about an endpoint, a parameter or a field. */
function sentencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    if (key === 'examples') return []
    const isSentence = (key === 'summary' || key === 'description') && typeof part === 'string'
    return isSentence ? [part.replaceAll('`', '')] : sentencesIn(part)
  })
}

/** Sentences about errors, which the page shows as the server responds them. */
const errorSentences = new Set(
  Object.values(openApiDocument(null, '').paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) =>
      Object.entries((operation as { responses: object }).responses).flatMap(([status, part]) =>
        Number(status) < 400 ? [] : sentencesIn(part),
      ),
    ),
  ),
)

const sentences = [...new Set(sentencesIn(openApiDocument(null, '').paths))].filter(
  (sentence) => !errorSentences.has(sentence),
)

describe('/api/v1/docs', () => {
  test('is a page of the site, with its header, footer and policy', async () => {
    const response = await server().request(path)
    expect(response.status).toBe(200)
    const html = await response.text()
    expect(html).toContain('<title>REST API — Rangoli &amp; &lt;friends&gt;</title>')
    expect(html).toContain('<header')
    expect(html).toContain('<footer')
    const about = await server().request('/about')
    expect(response.headers.get('content-security-policy')).toBe(about.headers.get('content-security-policy'))
  })

  test.each(languages)('describes each endpoint and field in %s', async (language) => {
    const text = textOf(await pageIn(language))
    expect(sentences.length).toBeGreaterThan(30)
    for (const sentence of sentences) {
      if (language === 'en') expect(text).toContain(sentence)
      else expect(text).not.toContain(sentence)
    }
    for (const name of ['/api/v1/post', '/api/v1/imgGenerate', 'Idempotency-Key', 'negativePrompt']) {
      expect(text).toContain(name)
    }
  })

  test('names every action of API keys, every event and every tool', async () => {
    const text = textOf(await pageIn('en'))
    const listed = await server().request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const tools = [...(await listed.text()).matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name)
    expect(tools).toContain('generate_image')
    for (const name of [...apiKeyScopes, ...webhookEvents, ...tools]) expect(text).toContain(name)
  })

  test('shows the address of the site in its examples', async () => {
    expect(textOf(await pageIn('en'))).toContain(`curl ${server().url}/api/v1/imgGenerate`)
    const site = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    const response = await site.request(path)
    expect(response.headers.get('cache-control')).toMatch(/^public/)
    const text = textOf(await response.text())
    expect(text).toContain('https://pictures.example.org/api/v1/post')
    expect(text).not.toContain(site.url)
  })

  test('escapes a Host header that is no host', async () => {
    const response = await server().request(path, { headers: { 'x-forwarded-host': '"><b>x' } })
    expect(await response.text()).not.toContain('<b>x')
  })

  test('is the same with a cookie, and responds 304 to its ETag', async () => {
    const first = await server().request(path)
    const etag = first.headers.get('etag') ?? ''
    const again = await server().request(path, { headers: { 'if-none-match': etag, cookie: 'session=x' } })
    expect(again.status).toBe(304)
  })

  test('rejects writes to its address', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await server().request(path, { method })).status).toBe(404)
    }
  })
})

describe('the first requests', () => {
  async function exampleCalled(title: string): Promise<string> {
    const html = await pageIn('en')
    const [, code] = html.split(`>${title}</span>`)[1]?.split('<code>') ?? []
    return textOf(`<article>${code?.split('</code>')[0] ?? ''}</article>`)
  }
  const environment = { ...process.env, RANGOLI_TOKEN: token }
  const run = promisify(execFile)

  test('generate an image with curl', async () => {
    const command = (await exampleCalled('curl')).replace('-o lotus.json', '-s')
    const { stdout } = await run('sh', ['-c', command], { env: environment })
    expect(JSON.parse(stdout)).toEqual({ success: true, photo: expect.stringMatching(/^\/9j\//) as string })
  })

  test.each([
    ['fetch', '(await response.json()).photo'],
    ['openai', 'data[0].b64_json'],
  ])('generate an image with %s', async (title, result) => {
    const code = `${await exampleCalled(title)}\nconsole.log(${result}.length)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env: environment })
    expect(Number(stdout)).toBeGreaterThan(100)
  })
})
