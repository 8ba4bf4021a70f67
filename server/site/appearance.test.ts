import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { inLanguage } from '../../shared/appearance.ts'
import { readAppearance } from './appearance.ts'

const server = shareTestServer()
let meera: TestUser
let asha: TestUser

beforeAll(async () => {
  meera = await signUpAdministrator(server())
  asha = await server().signUp()
})

const unset = {
  name: null,
  contact: null,
  accent: null,
  logo: null,
  welcome: null,
  examples: null,
  rules: null,
}

const dataUrl = async (width: number, height: number) => {
  const image = sharp({ create: { width, height, channels: 4, background: '#c8102e80' } })
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`
}

const pageIn = async (language: string, path = '/') =>
  (await server().request(path, { headers: { 'accept-language': language } })).text()

test('what administrators choose is on cached pages at once, and null returns to the default', async () => {
  const visitor = server().client()
  expect(await visitor.site.appearance.query()).toEqual({ ...unset, fixed: {} })
  expect(await pageIn('en')).toContain('<title>Rangoli — Text-to-Image AI Generator</title>')
  const chosen = {
    name: 'Kalā & <Co>',
    contact: 'hello@example.org',
    accent: '#C8102E',
    welcome: 'Come in <b>',
    examples: ['A blue kite', 'A red boat'],
    rules: '# Our rules\n\nBe *kind*.',
  }
  const saved = await meera.trpc.site.updateAppearance.mutate(chosen)
  expect(saved).toEqual({ ...unset, ...chosen, accent: '#c8102e', fixed: {} })
  expect(await visitor.site.appearance.query()).toEqual(saved)
  const html = await pageIn('en')
  for (const part of [
    '<title>Kalā &amp; &lt;Co&gt; — Text-to-Image AI Generator</title>',
    'href="mailto:hello@example.org"',
    '<link rel="stylesheet" href="/accent/c8102e.css" />',
    'Come in &lt;b&gt;',
    '>A blue kite</a>',
  ])
    expect(html).toContain(part)
  expect(await pageIn('en', '/rules')).toContain('<p>Be <em>kind</em>.</p>')
  const nameIn = async (path: string) => (await server().request(path)).text()
  expect(await nameIn('/manifest.webmanifest')).toContain('"Kalā & <Co>"')
  expect(await nameIn('/feed.xml')).toContain('Kalā &amp; &lt;Co&gt;')
  expect(await nameIn('/.well-known/security.txt')).toContain('Contact: mailto:hello@example.org')
  expect(await meera.trpc.site.updateAppearance.mutate(unset)).toEqual({ ...unset, fixed: {} })
  expect(await pageIn('en')).not.toContain('Kalā')
  expect((await server().request('/rules')).status).toBe(404)
  const { entries } = await meera.trpc.admin.auditLog.query({ kind: 'site', limit: 1 })
  expect(entries).toMatchObject([{ record: { action: 'change_appearance', details: { name: 'rules' } } }])
})

test('texts can differ by language, with one for the others', async () => {
  await meera.trpc.site.updateAppearance.mutate({
    name: { en: 'Patterns', hi: 'आकृतियाँ' },
    welcome: { '': 'Welcome', ar: 'أهلاً' },
  })
  expect(await pageIn('hi')).toContain('आकृतियाँ')
  expect(await pageIn('es')).toContain('<span>Patterns</span>')
  expect(await pageIn('ar')).toContain('أهلاً')
  expect(await pageIn('hi')).toContain('Welcome')
  const { services } = server()
  expect((await readAppearance(services, 'hi')).name).toBe('आकृतियाँ')
  await meera.trpc.site.updateAppearance.mutate(unset)
  expect(inLanguage({ fr: 'Seul' }, 'en')).toBe('Seul')
})

test('a logo is decoded, made small, and served under an address of its own', async () => {
  await meera.trpc.site.updateAppearance.mutate({ logo: await dataUrl(600, 300) })
  const [path = ''] = /\/logo\/[\da-f]{32}\.png/.exec(await pageIn('en')) ?? []
  const response = await server().request(path)
  expect(response.headers.get('cache-control')).toContain('immutable')
  const { width, height, format, hasAlpha } = await sharp(await response.arrayBuffer()).metadata()
  expect({ width, height, format, hasAlpha }).toEqual({
    width: 256,
    height: 128,
    format: 'png',
    hasAlpha: true,
  })
  expect(await pageIn('en', '/manifest.webmanifest')).toContain(path)
  await meera.trpc.site.updateAppearance.mutate({ logo: null })
  expect((await server().request(path)).status).toBe(404)
})

describe('rejects', () => {
  test.each([
    { accent: 'red;}body{display:none' },
    { accent: '#12345' },
    { name: ' ' },
    { name: 'x'.repeat(81) },
    { name: { '../x': 'A' } },
    { name: {} },
    { contact: 'javascript:alert(1)' },
    { examples: [] },
    { examples: Array.from({ length: 7 }, (_, index) => `Prompt ${index}`) },
    { rules: ' ' },
    { logo: 'https://example.org/logo.png' },
    {
      logo: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
    },
    { color: 'red' } as object,
  ])('%j', async (input) => {
    await expect(meera.trpc.site.updateAppearance.mutate(input)).rejects.toMatchObject({
      data: { httpStatus: 400 },
    })
    expect(await meera.trpc.site.appearance.query()).toMatchObject(unset)
  })

  test('a change by a member', async () => {
    const data = { data: { httpStatus: 403 } }
    await expect(asha.trpc.site.updateAppearance.mutate({ name: 'Mine' })).rejects.toMatchObject(data)
    await expect(asha.trpc.site.previewRules.mutate({ rules: 'x' })).rejects.toMatchObject(data)
  })
})

test('the preview of rules is what their page shows', async () => {
  expect(await meera.trpc.site.previewRules.mutate({ rules: '# A\n\n<script>' })).toEqual({
    title: 'A',
    html: '<p>&lt;script&gt;</p>\n',
  })
})

test('what a variable sets is fixed', async () => {
  const fixed = await startTestServer({ env: { SITE_NAME: 'Kolam', CONTACT: 'https://example.org' } })
  const administrator = await signUpAdministrator(fixed)
  expect(await administrator.trpc.site.appearance.query()).toEqual({
    ...unset,
    name: 'Kolam',
    contact: 'https://example.org/',
    fixed: { name: 'SITE_NAME', contact: 'CONTACT' },
  })
  await expect(administrator.trpc.site.updateAppearance.mutate({ name: 'Other' })).rejects.toMatchObject({
    data: { httpStatus: 403 },
  })
  await administrator.trpc.site.updateAppearance.mutate({ welcome: 'Hello' })
})

test('the style sheet of an accent has the colors of every theme, and others do not exist', async () => {
  const response = await server().request('/accent/0033cc.css')
  expect(response.headers.get('content-type')).toContain('text/css')
  const css = await response.text()
  for (const selector of [':root{', "[data-theme='soft-dark']", "[data-theme='hc']"])
    expect(css).toContain(selector)
  for (const path of ['/accent/red.css', '/accent/0033CC.css', '/accent/0033cc'])
    expect((await server().request(path)).status).toBe(404)
})
