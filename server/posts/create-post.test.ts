import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually, follow } from '../../test/support/generations.ts'
import { dataUrl, noisyImage, pixelBomb } from '../../test/support/images.ts'
import { trpcTransport } from '../../test/support/transports.ts'
import { createHeldEngine } from '../../test/support/engine.ts'
import {
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../test/support/test-server.ts'
import { uploadsIn } from '../../test/support/site.ts'

const bytesOf = async (server: TestServer, address: string, owner?: TestUser) =>
  Buffer.from(await (await server.request(address, { headers: server.headersOf(owner) })).arrayBuffer())

const upload = async () => dataUrl(await noisyImage().jpeg().toBuffer())

describe('posts.create with an image id', () => {
  const server = shareTestServer()

  test('creates a post that shows the image', async () => {
    const asha = await server().signUp()
    const image = await asha.generate('A lotus at dawn')
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: image.id })
    expect(post).toMatchObject({ name: 'Asha', prompt: 'A lotus', photo: image.photo, width: 64, height: 48 })
    expect(post).toMatchObject({ source: 'generated', engine: 'rangoli', authorId: asha.id })
    expect((await asha.trpc.posts.list.query({ limit: 1 })).posts).toEqual([post])
  })

  test('creates one post per image and prompt, and a new one after that was deleted', async () => {
    const asha = await server().signUp()
    const { id: imageId } = await asha.generate('Once')
    const { id: otherImageId } = await asha.generate('Another')
    const share = (prompt: string, image = imageId, name = 'Asha') =>
      asha.trpc.posts.create.mutate({ name, prompt, imageId: image })
    const atOnce = await Promise.all([share('Once'), share('Once'), share('Once')])
    const ids = new Set(atOnce.map(({ id }) => id))
    expect(ids.size).toBe(1)
    expect(await share(' Once ', imageId, 'Another name')).toEqual(atOnce[0])
    for (const { id } of [await share('Once', otherImageId), await share('once')]) ids.add(id)
    expect(ids.size).toBe(3)
    await asha.trpc.posts.delete.mutate({ id: atOnce[0]?.id ?? '' })
    expect(ids).not.toContain((await share('Once')).id)
  })

  test.each([
    [{ hidePrompt: true }, { hidePrompt: false }],
    [{ isSensitive: true }, { isSensitive: false }],
    [{ visibility: 'private' }, { visibility: 'public' }],
  ] as const)('rejects %o for an image and prompt that are shared with %o', async (option, original) => {
    const asha = await server().signUp()
    const { id: imageId } = await asha.generate('Plainly')
    const share = (options: object = {}) =>
      asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Plainly', imageId, ...options })
    const post = await share(original)
    await expect(share(option)).rejects.toMatchObject({
      data: { httpStatus: 400, detail: { code: 'shared_with_other_options' } },
    })
    await asha.trpc.posts.update.mutate({ id: post.id, ...option })
    for (const options of [option, {}]) expect(await share(options)).toMatchObject({ id: post.id })
    await expect(share(original)).rejects.toThrow('edit that post')
  })

  test('rejects an image that is not ready', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine })
    const asha = await own.signUp()
    const generation = follow(asha.trpc, { prompt: 'Slowly' })
    const imageId = await generation.id
    await eventually(() => held.length).toBe(1)
    const share = () => asha.trpc.posts.create.mutate({ name: 'A', prompt: 'p', imageId })
    await expect(share()).rejects.toMatchObject({
      message: 'This image is not ready to be shared.',
      data: { httpStatus: 400 },
    })
    held[0]?.release()
    await generation.ended
    expect((await share()).prompt).toBe('p')
  })
})

describe('posts.create with a photo', () => {
  test('shares the user’s own image if the bytes are the same, and uploads those of another user', async () => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const image = await asha.generate('A lotus at dawn')
    const photo = dataUrl(await bytesOf(server, image.photo, asha))
    const share = ({ trpc }: TestUser) => trpc.posts.create.mutate({ name: 'A', prompt: 'Mine', photo })
    expect(await share(asha)).toMatchObject({ source: 'generated', engine: 'rangoli', photo: image.photo })
    expect(await uploadsIn(server.directory)).toHaveLength(1)
    const post = await share(ravi)
    expect(post).toMatchObject({ source: 'uploaded', engine: null, authorId: ravi.id })
    expect(post.photo).not.toBe(image.photo)
    expect(await asha.trpc.images.list.query()).toMatchObject({ images: [{ id: image.id }] })
  })

  test('stores an upright JPEG without metadata, labeled as uploaded', async () => {
    const server = await startTestServer()
    const asha = await server.signUp()
    const bytes = await noisyImage(80, 40)
      .withExif({ IFD0: { Copyright: 'Asha Rao' }, IFD3: { GPSLatitude: '19/1 4/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    // The declared media type is ignored.
    const photo = dataUrl(bytes, 'image/png')
    const post = await asha.trpc.posts.create.mutate({ name: 'A', prompt: 'p', photo })
    expect(post).toMatchObject({ source: 'uploaded', engine: null, width: 40, height: 80 })
    const served = await server.request(post.photo)
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    const stored = Buffer.from(await served.arrayBuffer())
    const { format, width, exif, orientation } = await sharp(stored).metadata()
    expect([format, width, exif, orientation]).toEqual(['jpeg', 40, undefined, undefined])
    expect(stored.includes('Asha Rao')).toBe(false)
    expect((await asha.trpc.images.list.query()).images).toMatchObject([{ photo: post.photo, recipe: null }])
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  })

  test('again returns the post that exists, and consumes one upload and one post', async () => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1', DAILY_POST_LIMIT: '2' } })
    const asha = await server.signUp()
    const photo = await upload()
    const share = (prompt: string) => asha.trpc.posts.create.mutate({ prompt, photo })
    const posts = await Promise.all(Array.from({ length: 4 }, () => share('A river')))
    posts.push(await share('A river'))
    expect(new Set(posts.map(({ id }) => id)).size).toBe(1)
    expect(await uploadsIn(server.directory)).toHaveLength(1)
    // Another prompt makes another post of the same image.
    expect(await share('The same river')).toMatchObject({ photo: posts[0]?.photo })
    await expect(share('A third')).rejects.toMatchObject({ data: { httpStatus: 429 } })
    expect((await server.client().posts.list.query()).total).toBe(2)
  })
})

describe('the texts and the photo of a post', () => {
  const server = shareTestServer()
  let asha: TestUser
  beforeAll(async () => {
    asha = await server().signUp()
  })

  /** A character of four code units. */
  const woman = '👩🏽'
  const tower = (marks: number) => `x${'\u0301'.repeat(marks)}`

  test.each<[what: string, name: string | undefined, prompt: string, stored?: object]>([
    ['no name', undefined, 'no name', { name: 'User' }],
    ['an invisible name', '\u200b\u3164', 'an invisible name', { name: 'User' }],
    ['markup', '<b>Asha</b> & Co', '</script><img src=x onerror=alert(1)>'],
    ['several lines and an override', ' Asha ', '\n one\ntwo\u202e', { name: 'Asha', prompt: 'one two' }],
    ['a tower of marks', 'A', tower(15_999), { prompt: tower(8) }],
    ['half an emoji', 'A', 'x\ud83d', { prompt: 'x\ufffd' }],
    ['80 and 4,000 women with a skin tone', woman.repeat(80), woman.repeat(4_000)],
  ])('are stored as the author wrote them: %s', async (_, name, prompt, stored) => {
    const { id: imageId } = await asha.generate('A lotus')
    await asha.trpc.posts.create.mutate({ name, prompt, imageId })
    const expected = { name, prompt, ...stored }
    expect((await server().client().posts.list.query({ limit: 1 })).posts).toMatchObject([expected])
    const rest = (await (await server().request('/api/v1/post?limit=1')).json()) as { data: unknown[] }
    expect(rest.data).toMatchObject([expected])
  })

  const incomplete = 'Please enter a prompt and generate an image'
  const unreadable = 'The photo could not be read as an image.'
  const tooMuch = (what: string, codeUnits: string) =>
    `A ${what} may have at most ${codeUnits} UTF-16 code units. Emoji and combined letters take several each: use fewer of them.`
  const file = (content: string) => ({ photo: dataUrl(Buffer.from(content, 'latin1')) })

  test.each<[what: string, changes: object | (() => object), error: string, status?: number]>([
    ['no prompt', { prompt: undefined }, incomplete],
    ['an invisible prompt', { prompt: '\u200b\u202e' }, incomplete],
    ['a prompt of marks', { prompt: tower(16_000) }, tooMuch('prompt', '16,000')],
    [
      'more characters once composed',
      { prompt: '\u0958\u0301\u0301'.repeat(4_001) },
      'A prompt may have at most 4,000 characters.',
    ],
    ['a name of 30 families', { name: '👩‍👩‍👧‍👦'.repeat(30) }, tooMuch('name', '320')],
    ['null as name', { name: null }, '`name` must be a string.'],
    ['no photo', { photo: null }, incomplete],
    ['an array as photo', { photo: ['x'] }, '`photo` must be a data URL.'],
    ['an address', { photo: 'https://example.org/lotus.jpg' }, 'The photo must be a data URL in base64.'],
    ['HTML', file('<!doctype html>'), 'The photo is not a JPEG, PNG or WebP image.'],
    ['HTML behind JPEG’s first bytes', file('\xff\xd8\xff<!doctype html>'), unreadable],
    ['a bomb', () => ({ photo: dataUrl(pixelBomb()) }), 'The photo has more than 40 megapixels.', 413],
  ])('are rejected without storing anything: %s', async (_, changes, error, status = 400) => {
    const ravi = await server().signUp()
    const fine = { name: 'Ravi', prompt: 'A lotus', photo: await upload() }
    const input = { ...fine, ...(typeof changes === 'function' ? changes() : changes) }
    expect(await trpcTransport.share(server(), input, ravi)).toMatchObject({ status, error })
    expect((await ravi.trpc.images.list.query()).images).toEqual([])
  })
})

describe('the daily limit', () => {
  const tomorrow = Date.UTC(2026, 5, 2)

  test('of uploads counts no rejected photos, and begins anew each day', async () => {
    let now = tomorrow - 60_000
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '2' }, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const share = async (who = asha, photo?: string) =>
      trpcTransport.share(server, { prompt: 'p', photo: photo ?? (await upload()) }, who)
    expect(await share(asha, 'data:image/jpeg;base64,AAAA')).toMatchObject({ status: 400 })
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => share()))
    expect(outcomes.filter(({ error }) => error === null)).toHaveLength(2)
    expect(outcomes.filter(({ status }) => status === 429)).toHaveLength(4)
    expect(await share()).toMatchObject({ error: 'You have reached your daily upload limit.' })
    expect(await share(ravi)).toMatchObject({ error: null })
    now = tomorrow
    expect(await share()).toMatchObject({ error: null })
    expect(await uploadsIn(server.directory)).toHaveLength(4)
  })

  test('of posts counts own images and uploads of one user together', async () => {
    let now = tomorrow - 60_000
    const server = await startTestServer({ env: { DAILY_POST_LIMIT: '3' }, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const { id: imageId } = await asha.generate('A lotus')
    const share = (body: object, who = asha) => trpcTransport.share(server, body, who)
    const limitReached = { status: 429, error: 'You have reached your daily post limit.', retryAfter: 60 }
    expect(await share({ prompt: 'One', imageId })).toMatchObject({ error: null })
    expect(await share({ prompt: 'Two', photo: await upload() })).toMatchObject({ error: null })
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => share({ prompt: `Words ${index}`, imageId })),
    )
    expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1)
    expect(outcomes.find(({ error }) => error !== null)).toMatchObject(limitReached)
    expect(await share({ prompt: 'Four', photo: await upload() })).toMatchObject(limitReached)
    // Sharing again what was shared before returns the existing post.
    expect(await share({ prompt: 'One', imageId })).toMatchObject({ error: null })
    const { posts } = await server.client().posts.list.query()
    await asha.trpc.posts.delete.mutate({ id: posts[0]?.id ?? '' })
    expect(await share({ prompt: 'Four', imageId })).toMatchObject(limitReached)
    expect(await share({ prompt: 'Mine', photo: await upload() }, ravi)).toMatchObject({ error: null })
    now = tomorrow
    expect(await share({ prompt: 'Four', imageId })).toMatchObject({ error: null })
    expect(await uploadsIn(server.directory)).toHaveLength(3)
  })
})
