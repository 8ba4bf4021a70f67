import { randomBytes } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { uploadMaxBytes } from '../shared/limits.ts'
import { describeUnlessMissing, missingPrograms } from '../test/support/programs.ts'
import { createTestClient } from '../test/support/trpc-client.ts'
import { eventually, openPage, sharedBrowser } from './support/browser.ts'
import { dataUrl, generationOn, startGeneration } from './support/form.ts'
import { openDialog } from './support/page-parts.ts'
import { images } from './support/provider.ts'
import {
  type Fetch,
  type Proxy,
  type ProxyPlace,
  startCaddy,
  startNginx,
  useProxiedSite,
} from './support/proxies.ts'
import { follow, password } from './support/user.ts'

describeUnlessMissing('behind Caddy as the example has it', missingPrograms(['caddy', 'openssl']), () =>
  testProxy(startCaddy),
)
describeUnlessMissing('behind nginx as the example has it', missingPrograms(['nginx', 'openssl']), () =>
  testProxy(startNginx),
)

function testProxy(start: (place: ProxyPlace) => Promise<Proxy>): void {
  const site = useProxiedSite(start)
  /** Session cookie. */
  let headers: Record<string, string>
  let fetch: Fetch
  let cookies: string[]

  beforeAll(async () => {
    fetch = site().fetchFrom('127.0.0.1')
    const answer = await site().signUp(fetch)
    expect(answer.status).toBe(200)
    cookies = answer.headers.getSetCookie()
    const session = cookies.map((cookie) => cookie.split(';')[0]).join('; ')
    headers = { cookie: session, origin: site().url }
  })

  test('streams the events of a generation without delay', async () => {
    const trpc = createTestClient(site().url, () => headers, fetch)
    const prompt = 'A lotus that comes by degrees'
    const { types, ended } = follow(trpc, { prompt })
    const job = await site().provider.waitForRequest(prompt)
    await eventually(types).toContain('running')
    const begun = types()
    job.preview(images.preview)
    await eventually(types).toEqual([...begun, 'preview'])
    job.preview(images.sharper)
    await eventually(types).toEqual([...begun, 'preview', 'preview'])
    job.finish()
    await ended
    expect(types()).toEqual([...begun, 'preview', 'preview', 'succeeded'])
  })

  test('a user signs up in a browser, generates an image, and stays signed in after a reload', async () => {
    const browser = await sharedBrowser()
    const context = await browser.newContext({ baseURL: site().url, ignoreHTTPSErrors: true })
    onTestFinished(() => context.close())
    const { page, alerts, errors } = await openPage(context, site().url)
    await page.goto('/create-post')
    const dialog = await openDialog(page)
    await dialog.toSignUp.click()
    await dialog.name.fill('Meera Iyer')
    await dialog.email.fill('meera@example.org')
    await dialog.password.fill(password)
    await dialog.signUp.click()
    const form = generationOn(page)
    await form.prompt.waitFor()
    await startGeneration(page, 'A kite over the roofs')
    const job = await site().provider.waitForRequest('A kite over the roofs')
    for (const bytes of [images.preview, images.sharper]) {
      job.preview(bytes)
      await eventually(() => form.partial.getAttribute('src')).toBe(dataUrl(bytes))
    }
    job.finish()
    await form.share.waitFor()
    expect((await context.cookies()).map(({ secure, httpOnly }) => ({ secure, httpOnly }))).toContainEqual({
      secure: true,
      httpOnly: true,
    })
    await page.reload()
    await page.getByRole('banner').getByRole('button', { name: 'Meera' }).waitFor()
    expect({ alerts, errors }).toEqual({ alerts: [], errors: [] })
  })

  test('sets session cookies for HTTPS only', () => {
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/; *Secure/i)
    for (const cookie of cookies) expect(cookie).toMatch(/; *HttpOnly/i)
  })

  test('counts limits by the address of the client, and ignores a forged X-Forwarded-For', async () => {
    const attempts = async (from: string) => {
      const ask = site().fetchFrom(from)
      const statuses: number[] = []
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        const claimed = `10.9.9.${attempt}`
        const answer = await ask(`${site().url}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: site().url,
            'x-forwarded-for': claimed,
            'x-real-ip': claimed,
            forwarded: `for=${claimed}`,
          },
          body: JSON.stringify({ email: 'nobody@example.org', password: 'wrong password' }),
        })
        statuses.push(answer.status)
      }
      return statuses
    }
    expect(await attempts('127.0.0.2')).toEqual([401, 401, 401, 401, 401, 429])
    expect(await attempts('127.0.0.3')).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('ignores a forged scheme and host', async () => {
    const answer = await fetch(`${site().url}/api/v1/post`, {
      method: 'POST',
      headers: {
        'x-forwarded-proto': 'http',
        'x-request-id': 'forged',
      },
    })
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{32,36}$/)
  })

  test.each(['/', '/uploads/none/original.jpg', '/favicon.svg', '/trpc/posts.list'])(
    '%s has its security headers, once',
    async (address) => {
      const direct = await globalThis.fetch(site().server.url + address)
      const answer = await fetch(site().url + address)
      expect(answer.status).toBe(direct.status)
      const names = [...direct.headers.keys()].filter((name) => /secur|polic|frame|options|vary/.test(name))
      expect(names).toContain('strict-transport-security')
      for (const name of names) expect(answer.headers.get(name)).toBe(direct.headers.get(name))
    },
  )

  test('compresses pages once, and revalidates them by ETag', async () => {
    const compressed = await fetch(`${site().url}/`, { headers: { 'accept-encoding': 'br, gzip' } })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    const html = brotliDecompressSync(await compressed.arrayBuffer()).toString()
    expect(html).toMatch(/^<!doctype html>/i)
    const plain = await fetch(`${site().url}/`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBe(null)
    expect(await plain.text()).toBe(html)
    const etag = compressed.headers.get('etag') ?? ''
    const again = await fetch(`${site().url}/`, {
      headers: { 'if-none-match': etag, 'accept-encoding': 'br' },
    })
    expect({ status: again.status, etag: again.headers.get('etag') }).toEqual({ status: 304, etag })
  })

  test('passes the largest upload, and the server itself rejects a larger one', async () => {
    const share = (photo: Buffer) =>
      fetch(`${site().url}/api/v1/post`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          name: 'Asha',
          prompt: 'Noise',
          photo: `data:image/png;base64,${photo.toString('base64')}`,
        }),
      })
    const side = 2_585
    const raw = { width: side, height: side, channels: 3 } as const
    const photo = await sharp(randomBytes(side * side * 3), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer()
    expect(photo.length).toBeLessThanOrEqual(uploadMaxBytes)
    expect(photo.length).toBeGreaterThan(uploadMaxBytes * 0.95)
    const shared = await share(photo)
    expect(shared.status).toBeLessThan(300)
    const { data } = (await shared.json()) as { data: { photo: string } }
    const image = await fetch(new URL(data.photo, site().url))
    expect(image.headers.get('cache-control')).toContain('immutable')
    expect(await sharp(await image.arrayBuffer()).metadata()).toMatchObject({ format: 'jpeg', width: side })

    const rejected = await share(Buffer.alloc(uploadMaxBytes * 1.2))
    expect(rejected.status).toBe(413)
    expect(await rejected.json()).toMatchObject({ success: false, error: 'The request is too large.' })
  })

  test('redirects HTTP to HTTPS', async () => {
    const answer = await globalThis.fetch(site().plainUrl, { redirect: 'manual' })
    expect(answer.status).toBeGreaterThanOrEqual(301)
    expect(answer.status).toBeLessThanOrEqual(308)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/127\.0\.0\.1/)
  })
}
