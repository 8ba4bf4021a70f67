import { type Context, Hono } from 'hono'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { previewPromptLength } from '../../../shared/limits.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'
import { parseConfig } from '../../config/config.ts'
import { AppError } from '../../errors/app-error.ts'
import { servePreview } from './drawings.ts'

const server = shareTestServer()

function preview(prompt: string, headers: Record<string, string> = {}, { request } = server()) {
  return request(`/api/preview?${new URLSearchParams({ prompt })}`, { headers })
}

async function svgOf(response: Response, cacheControl: string): Promise<string> {
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': cacheControl,
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  })
  return response.text()
}

test('draws the pattern of a prompt as an image that caches may keep', async () => {
  const response = await preview('कमल at dusk')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const svg = await svgOf(response, 'public, max-age=3600')
  expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({ format: 'svg', width: 1024, height: 1024 })
  expect(await (await preview(' कमल at dusk')).text()).toBe(svg)
  expect(await (await preview('कमल at dawn')).text()).not.toBe(svg)
  const etag = response.headers.get('etag') ?? ''
  expect((await preview('कमल at dusk', { 'if-none-match': etag })).status).toBe(304)
  expect(await (await preview('</svg><script>alert(1)</script>')).text()).not.toContain('script')
})

test('draws an avatar for any id, the same each time, which caches keep', async () => {
  const avatar = (id: string) => server().request(`/api/avatars/${id}.svg`)
  const svg = await svgOf(await avatar('nobody-1'), 'public, max-age=31536000, immutable')
  expect(svg.length).toBeLessThan(3_000)
  expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({ format: 'svg' })
  expect(await (await avatar('nobody-1')).text()).toBe(svg)
  expect(await (await avatar('nobody-2')).text()).not.toBe(svg)
  for (const id of ['x'.repeat(65), '%3Csvg%3E', '']) expect((await avatar(id)).status).toBe(404)
})

test('answers with the words that are drawn and those that are not, if JSON is asked for', async () => {
  const response = await preview('a fox, a cockroach and a lighthouse', { accept: 'application/json' })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    vary: expect.stringMatching(/(^|, )Accept$/) as unknown,
  })
  expect(await response.json()).toEqual({
    svg: await (await preview('a fox, a cockroach and a lighthouse')).text(),
    drawnFrom: ['fox'],
    notDrawn: ['cockroach', 'lighthouse'],
    near: { cockroach: ['fly', 'ant'] },
  })
})

test('rejects a prompt that is blank or too long, and any with an engine that takes time', async () => {
  for (const prompt of ['', '  ', 'x'.repeat(previewPromptLength + 1)]) {
    const response = await preview(prompt)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: expect.stringContaining('`prompt`') })
  }
  const other = await startTestServer({ env: { OPENAI_API_KEY: 'sk-test' } })
  expect((await preview('a', {}, other)).status).toBe(404)
})

test('limits the previews of a network, not those of others', async () => {
  const networkOf = (c: Context) => c.req.header('network') ?? ''
  const app = new Hono().get('/', servePreview(parseConfig({}, '/srv/rangoli'), networkOf, 2))
  app.onError((error, c) =>
    c.text('', error instanceof AppError && error.code === 'rate_limited' ? 429 : 500),
  )
  const statuses = []
  for (const network of ['a', 'a', 'a', 'b']) {
    statuses.push((await app.request('/?prompt=a', { headers: { network } })).status)
  }
  expect(statuses).toEqual([200, 200, 429, 200])
})
