import sharp from 'sharp'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'

interface Manifest {
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose?: string }[]
}

const server = shareTestServer({ env: { SITE_NAME: 'Kalā & <Co>' } })
const publicFolder = path.resolve(import.meta.dirname, '../../../public')

async function manifestOf({ request }: TestServer, headers: Record<string, string> = {}) {
  const response = await request('/manifest.webmanifest', { headers })
  expect(response.headers.get('content-type')).toBe('application/manifest+json')
  expect(response.headers.get('vary')).toBe('Accept-Language, Cookie')
  return (await response.json()) as Manifest
}

test('the manifest names the site, in the chosen language, else in that of the browser', async () => {
  expect(await (await server().request('/about')).text()).toContain(
    'rel="manifest" href="/manifest.webmanifest"',
  )
  expect(await manifestOf(server())).toMatchObject({
    name: 'Kalā & <Co>',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang: 'en',
    dir: 'ltr',
    shortcuts: [{ url: '/create-post' }, { url: '/your-images' }],
  })
  const headers = { 'accept-language': 'ar' }
  expect(await manifestOf(server(), headers)).toMatchObject({ lang: 'ar', dir: 'rtl' })
  expect(await manifestOf(server(), { ...headers, cookie: 'language=hi' })).toMatchObject({ lang: 'hi' })
})

test('the manifest offers to share images with the site only if it has a service worker', async () => {
  const off = await startTestServer({ env: { SERVICE_WORKER: 'off' } })
  expect(await manifestOf(server())).toMatchObject({
    share_target: { action: '/share-image', method: 'POST', enctype: 'multipart/form-data' },
  })
  expect(await manifestOf(off)).not.toHaveProperty('share_target')
})

test('an image that no service worker takes leads to the form', async () => {
  const body = new FormData()
  body.set('image', new File([new Uint8Array(3_000_000)], 'photo.jpg', { type: 'image/jpeg' }))
  const headers = { cookie: 'session=1', origin: 'null' }
  const response = await server().request('/share-image', { method: 'POST', body, headers })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/create-post'])
})

test('the icons have the sizes that the manifest states', async () => {
  const { icons } = await manifestOf(server())
  expect(icons).toHaveLength(4)
  for (const { src, sizes } of icons) {
    const { format, width, height } = await sharp(await readFile(publicFolder + src)).metadata()
    expect([src, format, `${width}x${height}`]).toEqual([src, 'png', sizes])
  }
})
