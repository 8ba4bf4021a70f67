import { describe, expect, test } from 'vitest'
import { shareTestServer } from '../../test/support/test-server.ts'

const server = shareTestServer({ env: { PUBLIC_URL: 'https://images.example' } })

const read = (headers: Record<string, string>, path = '/') => server().request(path, { headers })

/** Language and writing direction of a document. */
async function languageOf(response: Response): Promise<string[]> {
  return /<html lang="([^"]*)" dir="([^"]*)">/.exec(await response.text())?.slice(1) ?? []
}

const english = ['en', 'ltr']
const hindi = ['hi', 'ltr']
const spanish = ['es', 'ltr']
const arabic = ['ar', 'rtl']

describe('the language of a page', () => {
  test.each([
    ['no header', undefined, english],
    ['a supported language', 'hi', hindi],
    ['a region', 'es-MX', spanish],
    ['another case', 'AR-eg', arabic],
    ['several languages', 'fr, ar;q=0.8, hi;q=0.9, en;q=0.1', hindi],
    ['a refused language', 'hi;q=0, es;q=0.1', spanish],
    ['only other languages', 'fr-FR, de', english],
    ['a language whose tag starts alike', 'est', english],
    ['an invalid header', ';q=, <script>', english],
  ])('follows Accept-Language with %s', async (_, header, expected) => {
    const response = await read(header === undefined ? {} : { 'accept-language': header })
    expect(await languageOf(response)).toEqual(expected)
  })

  test('is the chosen one, whatever the browser accepts', async () => {
    const response = await read({ cookie: 'a=b; language=ar', 'accept-language': 'hi' })
    expect(await languageOf(response)).toEqual(arabic)
  })

  test.each(['fr', '', '"><script>', '../en', '__proto__'])(
    'does not follow the unknown choice %j',
    async (choice) => {
      const response = await read({
        cookie: `language=${encodeURIComponent(choice)}`,
        'accept-language': 'es',
      })
      expect(await languageOf(response)).toEqual(spanish)
    },
  )

  test('applies to a page that does not exist', async () => {
    const response = await read({ 'accept-language': 'ar' }, '/nothing')
    expect([response.status, await languageOf(response)]).toEqual([404, arabic])
  })
})

describe('a cached page', () => {
  test.each(['/', '/your-images', '/posts/unknown'])('%s has the same headers for HEAD', async (path) => {
    const headers = { cookie: 'language=ar' }
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => server().request(path, { method, headers })),
    )
    const seen = (response: Response | undefined) =>
      ['cache-control', 'content-language', 'etag', 'vary'].map((name) => response?.headers.get(name))
    expect([head?.status, await head?.text(), seen(head)]).toEqual([get?.status, '', seen(get)])
    expect(seen(get)).toEqual(
      get?.ok
        ? ['private, no-cache', 'ar', expect.anything(), expect.stringContaining('Accept-Language, Cookie')]
        : ['no-store', 'ar', null, expect.stringContaining('Accept-Language, Cookie')],
    )
  })

  test('is kept apart by language', async () => {
    for (const [language, expected] of [
      ['en', english],
      ['hi', hindi],
      ['en', english],
      ['ar', arabic],
      ['hi', hindi],
    ] as const) {
      expect(await languageOf(await read({ 'accept-language': language }))).toEqual(expected)
      expect(await languageOf(await read({ cookie: `language=${language}` }))).toEqual(expected)
    }
  })

  test('is for proxies if Accept-Language decided, and private if a choice did', async () => {
    const accepted = await read({ 'accept-language': 'hi' })
    expect(accepted.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=10')
    const chosen = await read({ cookie: 'language=hi', 'accept-language': 'en' })
    expect(chosen.headers.get('cache-control')).toBe('private, no-cache')
    for (const { headers } of [accepted, chosen]) {
      expect(headers.get('vary')).toContain('Accept-Language, Cookie')
    }
  })

  test('is not confirmed to a browser that has it in another language', async () => {
    const etag = (await read({ 'accept-language': 'hi' })).headers.get('etag') ?? ''
    const again = await read({ 'accept-language': 'hi', 'if-none-match': etag })
    expect(again.status).toBe(304)
    const other = await read({ 'accept-language': 'es', 'if-none-match': etag })
    expect([other.status, await languageOf(other)]).toEqual([200, spanish])
  })
})

test('lists of posts do not depend on the language', async () => {
  const response = await read({ 'accept-language': 'hi' }, '/trpc/posts.list')
  expect(response.headers.get('vary')).not.toContain('Accept-Language')
})
