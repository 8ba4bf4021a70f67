import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { createKey, openAiClient } from '../../test/support/openai-api/client.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { unlimitedWrites } from '../../test/support/limits.ts'
import { createRateLimiter } from '../rate-limits/rate-limiter.ts'
import { deleteAccountData } from '../users/delete-account.ts'
import { ImageLinks } from '../images/image-links.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000
let now = noon
const server = shareTestServer({
  now: () => now,
  writeLimits: unlimitedWrites(),
  env: { DAILY_IMAGE_LIMIT: '1000' },
})
let asha: TestUser
let key: string
beforeAll(async () => {
  asha = await server().signUp()
  key = await createKey(asha)
})
beforeEach(() => {
  now = noon
})

type Options = { output_format?: 'png' | 'webp' | 'jpeg'; output_compression?: number }

/** Generates an image and returns its link, to a JPEG by default. */
async function linkOf(prompt: string, options: Options = {}): Promise<URL> {
  const { data } = await openAiClient(server(), key).images.generate({
    prompt,
    response_format: 'url',
    output_format: 'jpeg',
    ...options,
  })
  expect(data).toHaveLength(1)
  expect(data?.[0]?.b64_json).toBeUndefined()
  return new URL(data?.[0]?.url ?? '')
}

async function idOf(prompt: string): Promise<string> {
  const { images } = await asha.trpc.images.list.query()
  return images.find((image) => image.prompt === prompt)?.id ?? ''
}

describe('a link', () => {
  test('opens without credentials for an hour', async () => {
    const link = await linkOf('A lotus')
    expect(link.origin).toBe(server().url)
    now = noon + 59 * minute
    const response = await fetch(link)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect((await sharp(await response.arrayBuffer()).metadata()).format).toBe('jpeg')
    now = noon + 60 * minute
    const expired = await fetch(link)
    expect(expired.status).toBe(403)
    expect(await expired.json()).toMatchObject({ error: { message: 'This link has expired.' } })
  })

  test.each<[string, Options]>([
    ['png', { output_format: 'png' }],
    ['webp', { output_format: 'webp' }],
    ['webp', { output_format: 'webp', output_compression: 0 }],
    ['jpeg', { output_format: 'jpeg', output_compression: 30 }],
  ])('opens the image as %s (%o)', async (format, options) => {
    const response = await fetch(await linkOf('A fan', options))
    expect(response.headers.get('content-type')).toBe(`image/${format}`)
    const bytes = await response.arrayBuffer()
    expect(Number(response.headers.get('content-length'))).toBe(bytes.byteLength)
    expect((await sharp(bytes).metadata()).format).toBe(format)
  })

  test('answers HEAD without the image', async () => {
    for (const options of [{}, { output_format: 'png' }] as const) {
      const response = await fetch(await linkOf('A bell', options), { method: 'HEAD' })
      expect(response.status).toBe(200)
      expect((await response.arrayBuffer()).byteLength).toBe(0)
    }
  })

  test('opens no other image, format, compression or time', async () => {
    const link = await linkOf('A kite', { output_compression: 50 })
    await linkOf('Another kite')
    const { pathname } = link
    const other = await idOf('Another kite')
    const paths = ['.png', '.svg', ''].map((extension) => pathname.replace('.jpeg', extension))
    for (const path of [...paths, `/v1/images/${other}.jpeg`])
      expect((await server().request(path + link.search)).status, path).toBe(404)
    const signature = link.searchParams.get('signature') ?? ''
    const forged = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    for (const [name, values] of Object.entries({
      expires: [String(noon / 1_000 + 99_999), 'Infinity', '-1', null],
      compression: ['51', '50.0', null],
      signature: [forged, '', null],
    })) {
      for (const value of values) {
        const changed = new URL(link)
        if (value === null) changed.searchParams.delete(name)
        else changed.searchParams.set(name, value)
        expect((await fetch(changed)).status, changed.href).toBe(404)
      }
    }
    expect((await fetch(link)).status).toBe(200)
  })

  test('does not open without a name, or with that of another file', async () => {
    for (const path of ['/v1/images/.png', '/v1/images/a%2Fb.png'])
      expect((await server().request(path)).status, path).toBe(404)
  })

  test.each<[string, (photo: string) => string]>([
    ['its path', (photo) => photo],
    ['its folder', (photo) => photo.split('/')[2] ?? ''],
    ['no secret', () => ''],
  ])('that is signed with %s by others does not open the image', async (_, secretOf) => {
    await linkOf('A forgery')
    const [image] = (await asha.trpc.images.list.query()).images
    await asha.trpc.posts.create.mutate({ prompt: 'A forgery', imageId: image?.id ?? '' }).catch(() => {})
    const forged = new ImageLinks(secretOf(image?.photo ?? ''), () => now)
    const target = { imageId: image?.id ?? '', format: 'jpeg', quality: undefined } as const
    expect((await server().request(forged.create(target))).status).toBe(404)
  })

  test('of a clock that was wrong opens nothing for more than an hour', async () => {
    const link = await linkOf('A clock')
    now = noon - 1_000
    expect((await fetch(link)).status).toBe(404)
  })

  test('is limited by network, except for the stored file', async () => {
    const own = await startTestServer({
      writeLimits: { ...unlimitedWrites(), encodings: createRateLimiter(2, 60) },
    })
    const ravi = await own.signUp()
    const client = openAiClient(own, await createKey(ravi))
    const open = async (format: 'png' | 'jpeg') => {
      const { data } = await client.images.generate({
        prompt: 'A lotus',
        response_format: 'url',
        output_format: format,
      })
      return fetch(data?.[0]?.url ?? '')
    }
    expect([(await open('png')).status, (await open('png')).status]).toEqual([200, 200])
    const limited = await open('png')
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await limited.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect((await open('jpeg')).status).toBe(200)
  })

  test('ends with the account', async () => {
    const ravi = await server().signUp('Ravi Shah')
    const client = openAiClient(server(), await createKey(ravi))
    const { data } = await client.images.generate({ prompt: 'A farewell', response_format: 'url' })
    const link = data?.[0]?.url ?? ''
    expect((await fetch(link)).status).toBe(200)
    await deleteAccountData(server().services, ravi.id, { posts: 'remove' })
    expect((await fetch(link)).status).toBe(404)
  })
})

test('a link has the public address of the site, and opens in another process and after a restart', async () => {
  const folder = await tempFolder()
  const token = 'a-token-of-enough-letters'
  const env = { PUBLIC_URL: 'https://pictures.example', API_TOKEN: token }
  const first = await startTestServer({ folder, env })
  const { data } = await openAiClient(first, token).images.generate({
    prompt: 'A lotus',
    response_format: 'url',
    output_format: 'png',
  })
  const { origin, pathname, search } = new URL(data?.[0]?.url ?? '')
  expect(origin).toBe('https://pictures.example')
  const second = await startTestServer({ folder, env })
  expect((await second.request(pathname + search)).status).toBe(200)
  await Promise.all([first.stop(), second.stop()])
  const third = await startTestServer({ folder, env })
  expect((await third.request(pathname + search)).status).toBe(200)
})
