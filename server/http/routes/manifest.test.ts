import sharp from 'sharp'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

interface Manifest {
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose?: string }[]
}

const server = shareTestServer({ env: { SITE_NAME: 'Kalā & <Co>' } })
const publicFolder = path.resolve(import.meta.dirname, '../../../public')

test('pages link to a manifest that names the site', async () => {
  const page = await (await server().request('/about')).text()
  const href = /<link rel="manifest" href="([^"]*)"/.exec(page)?.[1] ?? ''
  const response = await server().request(href)
  expect(response.headers.get('content-type')).toBe('application/manifest+json')
  expect(await response.json()).toMatchObject({
    name: 'Kalā & <Co>',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang: 'en',
    dir: 'ltr',
    shortcuts: [{ url: '/create-post' }, { url: '/your-images' }],
  })
})

test('the manifest is in the chosen language, else in that of the browser', async () => {
  const read = async (headers: Record<string, string>) => {
    const response = await server().request('/manifest.webmanifest', { headers })
    expect(response.headers.get('vary')).toBe('Accept-Language, Cookie')
    return response.json()
  }
  expect(await read({ 'accept-language': 'ar' })).toMatchObject({ lang: 'ar', dir: 'rtl' })
  expect(await read({ 'accept-language': 'ar', cookie: 'language=hi' })).toMatchObject({
    lang: 'hi',
    dir: 'ltr',
  })
})

test('the manifest offers to share images with the site only if it has a service worker', async () => {
  const off = await startTestServer({ env: { SERVICE_WORKER: 'off' } })
  const manifestOf = async ({ request }: typeof off) => (await request('/manifest.webmanifest')).json()
  expect(await manifestOf(server())).toMatchObject({
    share_target: { action: '/share-image', method: 'POST', enctype: 'multipart/form-data' },
  })
  expect(await manifestOf(off)).not.toHaveProperty('share_target')
})

test('an image that no service worker takes leads to the form', async () => {
  const body = new FormData()
  body.set('image', new File([new Uint8Array(3_000_000)], 'photo.jpg', { type: 'image/jpeg' }))
  const response = await server().request('/share-image', {
    method: 'POST',
    body,
    headers: { cookie: 'session=1', origin: 'null' },
  })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/create-post'])
})

test('the icons have the sizes that the manifest states', async () => {
  const { icons } = (await (await server().request('/manifest.webmanifest')).json()) as Manifest
  expect(icons.map(({ purpose, sizes }) => `${purpose ?? 'any'} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 512x512',
    'monochrome 512x512',
  ])
  for (const { src, sizes } of icons) {
    const { format, width, height } = await sharp(await readFile(publicFolder + src)).metadata()
    expect([src, format, `${width}x${height}`]).toEqual([src, 'png', sizes])
  }
})
