import { expect, test } from 'vitest'
import { shareTestServer } from '../../test/support/test-server.ts'

const server = shareTestServer({ env: { PUBLIC_URL: 'https://images.example' } })

const read = (headers: Record<string, string>, path = '/') => server().request(path, { headers })

/** Language and writing direction of a document. */
async function languageOf(response: Response): Promise<string> {
  const [, language, direction] = /<html lang="([^"]*)" dir="([^"]*)">/.exec(await response.text()) ?? []
  return `${language} ${direction}`
}

test.each([
  ['', '', 'en ltr'],
  ['hi', '', 'hi ltr'],
  ['es-MX', '', 'es ltr'],
  ['AR-eg', '', 'ar rtl'],
  ['fr, ar;q=0.8, hi;q=0.9, en;q=0.1', '', 'hi ltr'],
  ['hi;q=0, es;q=0.1', '', 'es ltr'],
  ['fr-FR, de', '', 'en ltr'],
  ['est', '', 'en ltr'],
  [';q=, <script>', '', 'en ltr'],
  ['hi', 'ar', 'ar rtl'],
  ['es', 'fr', 'es ltr'],
  ['es', '"><script>', 'es ltr'],
  ['es', '../en', 'es ltr'],
  ['es', '__proto__', 'es ltr'],
])('with Accept-Language %j and the choice %j a page is in %s', async (accepted, chosen, expected) => {
  const headers = { 'accept-language': accepted, cookie: `a=b; language=${encodeURIComponent(chosen)}` }
  expect(await languageOf(await read(headers))).toBe(expected)
  const missing = await read(headers, '/nothing')
  expect([missing.status, await languageOf(missing)]).toEqual([404, expected])
})

test.each(['/', '/your-images', '/posts/a', '/unknown'])('%s has the same headers for HEAD', async (path) => {
  const headers = { cookie: 'language=ar' }
  const seen = (response: Response) =>
    ['cache-control', 'content-language', 'etag', 'vary'].map((name) => response.headers.get(name))
  const get = await server().request(path, { headers })
  const head = await server().request(path, { method: 'HEAD', headers })
  expect([head.status, await head.text(), seen(head)]).toEqual([get.status, '', seen(get)])
  const vary = expect.stringContaining('Accept-Language, Cookie')
  expect(seen(get)).toEqual(
    get.ok ? ['private, no-cache', 'ar', expect.anything(), vary] : ['no-store', 'ar', null, vary],
  )
})

test('pages are cached by language, for proxies only if Accept-Language decided', async () => {
  for (const language of ['en', 'hi', 'en', 'ar', 'hi']) {
    const accepted = await read({ 'accept-language': language })
    expect(accepted.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=10')
    const chosen = await read({ cookie: `language=${language}` })
    expect(chosen.headers.get('cache-control')).toBe('private, no-cache')
    for (const response of [accepted, chosen]) {
      expect(response.headers.get('vary')).toContain('Accept-Language, Cookie')
      expect(await languageOf(response)).toMatch(language)
    }
  }
  const etag = (await read({ 'accept-language': 'hi' })).headers.get('etag') ?? ''
  expect((await read({ 'accept-language': 'hi', 'if-none-match': etag })).status).toBe(304)
  const other = await read({ 'accept-language': 'es', 'if-none-match': etag })
  expect([other.status, await languageOf(other)]).toEqual([200, 'es ltr'])
})

test('lists of posts do not depend on the language', async () => {
  const response = await read({ 'accept-language': 'hi' }, '/trpc/posts.list')
  expect(response.headers.get('vary')).not.toContain('Accept-Language')
})
