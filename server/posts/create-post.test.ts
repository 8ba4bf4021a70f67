import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { eventually, follow } from '../../test/support/generations.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { transports } from '../../test/support/transports.ts'
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

const newest = async (server: TestServer) => (await server.client().posts.list.query({ limit: 1 })).posts[0]

describe('posts.create with an image id', () => {
  const server = shareTestServer()

  test('creates a post that shows the image', async () => {
    const asha = await server().signUp()
    const image = await asha.generate('A lotus at dawn')
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: image.id })
    expect(post).toMatchObject({ name: 'Asha', prompt: 'A lotus', photo: image.photo, width: 64, height: 48 })
    expect(post).toMatchObject({ source: 'generated', engine: 'rangoli', authorId: asha.id })
    expect(post.id).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(await newest(server())).toEqual(post)
  })

  test('creates one post per image and prompt', async () => {
    const asha = await server().signUp()
    const { id: imageId } = await asha.generate('Once')
    const { id: otherImageId } = await asha.generate('Another')
    const share = (prompt: string, image = imageId, name = 'Asha') =>
      asha.trpc.posts.create.mutate({ name, prompt, imageId: image })
    const before = (await server().client().posts.list.query()).total
    const atOnce = await Promise.all([share('Once'), share('Once'), share('Once')])
    expect(new Set(atOnce.map(({ id }) => id)).size).toBe(1)
    expect(await share(' Once ', imageId, 'Another name')).toEqual(atOnce[0])
    expect((await share('Once', otherImageId)).id).not.toBe(atOnce[0]?.id)
    expect((await share('once')).id).not.toBe(atOnce[0]?.id)
    expect((await server().client().posts.list.query()).total).toBe(before + 3)
  })

  test.each([{ hidePrompt: true }, { isSensitive: true }])(
    'rejects %o for an image and prompt that are shared without it',
    async (option) => {
      const asha = await server().signUp()
      const { id: imageId } = await asha.generate('Plainly')
      const share = (options: { hidePrompt?: boolean; isSensitive?: boolean } = {}) =>
        asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Plainly', imageId, ...options })
      const post = await share({ hidePrompt: false, isSensitive: false })
      await expect(share(option)).rejects.toMatchObject({
        data: { httpStatus: 400, detail: { code: 'shared_with_other_options' } },
      })
      await asha.trpc.posts.update.mutate({ id: post.id, ...option })
      expect(await share(option)).toMatchObject({ id: post.id })
      expect(await share()).toMatchObject({ id: post.id })
      await expect(share({ hidePrompt: false, isSensitive: false })).rejects.toThrow('edit that post')
    },
  )

  test('rejects another visibility for an image and prompt that are shared', async () => {
    const asha = await server().signUp()
    const { id: imageId } = await asha.generate('For whom')
    const share = (visibility?: 'public' | 'private') =>
      asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'For whom', imageId, visibility })
    const post = await share('private')
    expect([await share('private'), await share()]).toEqual([post, post])
    await expect(share('public')).rejects.toMatchObject({
      message:
        'You have already shared this image with this prompt, with other options. To change them, edit that post.',
      data: { httpStatus: 400 },
    })
    expect(await asha.trpc.posts.get.query({ id: post.id })).toMatchObject({ visibility: 'private' })
  })

  test('creates a new post after the earlier one was deleted', async () => {
    const asha = await server().signUp()
    const { id: imageId } = await asha.generate('Again')
    const share = () => asha.trpc.posts.create.mutate({ name: 'A', prompt: 'Again', imageId })
    const { id } = await share()
    await asha.trpc.posts.delete.mutate({ id })
    expect((await share()).id).not.toBe(id)
  })

  test('rejects images of other users, unknown ids, and an image together with a photo', async () => {
    const [asha, ravi] = [await server().signUp(), await server().signUp()]
    const { id: imageId } = await ravi.generate('Ravi’s own')
    const share = (body: object) =>
      server().postJson('/trpc/posts.create', { name: 'A', prompt: 'p', ...body }, asha)
    expect((await share({ imageId })).status).toBe(403)
    expect((await share({ imageId: 'no-such-image' })).status).toBe(404)
    expect((await share({ imageId: '../etc' })).status).toBe(400)
    expect((await share({ imageId, photo: 'data:image/jpeg;base64,AAAA' })).status).toBe(400)
    expect(
      (await asha.trpc.posts.list.query({ search: 'p' })).posts.filter((post) => post.authorId === asha.id),
    ).toEqual([])
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

describe.each(transports)('posts.create with a photo through $name', (transport) => {
  test('shares the user’s own image if the bytes are the same', async () => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '0' } })
    const asha = await server.signUp()
    const image = await asha.generate('A lotus at dawn')
    const photo = dataUrl(await bytesOf(server, image.photo, asha))
    expect(await transport.share(server, { name: 'A', prompt: 'Mine', photo }, asha)).toMatchObject({
      error: null,
    })
    expect(await newest(server)).toMatchObject({ source: 'generated', engine: 'rangoli', photo: image.photo })
    expect(await uploadsIn(server.directory)).toHaveLength(1)
  })

  test('uploads a photo whose bytes are another user’s image', async () => {
    const server = await startTestServer()
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const image = await ravi.generate('Ravi’s own')
    const photo = dataUrl(await bytesOf(server, image.photo, ravi))
    expect(await transport.share(server, { name: 'A', prompt: 'Not mine', photo }, asha)).toMatchObject({
      error: null,
    })
    const post = await newest(server)
    expect(post).toMatchObject({ source: 'uploaded', engine: null, authorId: asha.id })
    expect(post?.photo).not.toBe(image.photo)
    expect(await ravi.trpc.images.list.query()).toMatchObject({ images: [{ id: image.id }] })
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
    const answer = await transport.share(
      server,
      { name: 'A', prompt: 'p', photo: dataUrl(bytes, 'image/png') },
      asha,
    )
    expect(answer).toMatchObject({ error: null })
    const post = await newest(server)
    expect(post).toMatchObject({ source: 'uploaded', engine: null, width: 40, height: 80 })
    const served = await server.request(post?.photo ?? '')
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    const stored = Buffer.from(await served.arrayBuffer())
    const { format, width, exif, orientation } = await sharp(stored).metadata()
    expect({ format, width, exif, orientation }).toEqual({
      format: 'jpeg',
      width: 40,
      exif: undefined,
      orientation: undefined,
    })
    expect(stored.includes('Asha Rao')).toBe(false)
    expect((await asha.trpc.images.list.query()).images).toMatchObject([{ photo: post?.photo, recipe: null }])
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  })

  test('enforces the daily upload limit without counting rejected photos', async () => {
    let now = Date.UTC(2026, 5, 1, 23, 59)
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '2' }, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const share = async (who = asha) =>
      transport.share(server, { prompt: 'p', photo: dataUrl(await noisyImage().jpeg().toBuffer()) }, who)
    expect(
      await transport.share(server, { prompt: 'p', photo: 'data:image/jpeg;base64,AAAA' }, asha),
    ).toMatchObject({ status: 400 })
    for (let upload = 1; upload <= 2; upload += 1) expect(await share()).toMatchObject({ error: null })
    expect(await share()).toMatchObject({ status: 429, error: 'You have reached your daily upload limit.' })
    expect(await share(ravi)).toMatchObject({ error: null })
    now += 60_000
    expect(await share()).toMatchObject({ error: null })
    expect(await uploadsIn(server.directory)).toHaveLength(4)
  })
})

describe.each(transports)('posts.create with the same photo again through $name', (transport) => {
  test('returns the post that exists, and consumes one upload and one post', async () => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1', DAILY_POST_LIMIT: '2' } })
    const asha = await server.signUp()
    const photo = dataUrl(await noisyImage().jpeg().toBuffer())
    const share = (prompt: string) => transport.share(server, { prompt, photo }, asha)
    const answers = await Promise.all(Array.from({ length: 4 }, () => share('A river')))
    expect(answers.map(({ error }) => error)).toEqual([null, null, null, null])
    expect(await share('A river')).toMatchObject({ error: null })
    expect((await server.client().posts.list.query()).total).toBe(1)
    expect(await uploadsIn(server.directory)).toHaveLength(1)
    // Another prompt makes another post of the same image.
    expect(await share('The same river')).toMatchObject({ error: null })
    const { posts } = await server.client().posts.list.query()
    expect(posts.map(({ prompt }) => prompt)).toEqual(['The same river', 'A river'])
    expect(posts[0]?.photo).toBe(posts[1]?.photo)
    expect(await share('A third')).toMatchObject({ status: 429 })
  })

  test('stores another upload for another user', async () => {
    const server = await startTestServer()
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const body = { prompt: 'A river', photo: dataUrl(await noisyImage().jpeg().toBuffer()) }
    expect(await transport.share(server, body, asha)).toMatchObject({ error: null })
    expect(await transport.share(server, body, ravi)).toMatchObject({ error: null })
    const { posts } = await server.client().posts.list.query()
    expect(posts.map(({ authorId }) => authorId)).toEqual([ravi.id, asha.id])
    expect(posts[0]?.photo).not.toBe(posts[1]?.photo)
  })
})

describe.each(transports)('the daily post limit through $name', (transport) => {
  const limitReached = { status: 429, error: 'You have reached your daily post limit.' }

  test('counts own images and uploads of one user together', async () => {
    let now = Date.UTC(2026, 5, 1, 23, 59)
    const server = await startTestServer({ env: { DAILY_POST_LIMIT: '3' }, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const { id: imageId } = await asha.generate('A lotus')
    const upload = async () => dataUrl(await noisyImage().jpeg().toBuffer())
    const share = (body: object, who = asha) => transport.share(server, body, who)
    expect(await share({ prompt: 'One', imageId })).toMatchObject({ error: null })
    expect(await share({ prompt: 'Two', photo: await upload() })).toMatchObject({ error: null })
    expect(await share({ prompt: 'Three', imageId })).toMatchObject({ error: null })
    expect(await share({ prompt: 'Four', imageId })).toMatchObject(limitReached)
    expect(await share({ prompt: 'Four', photo: await upload() })).toMatchObject(limitReached)
    // Sharing again what was shared before returns the existing post.
    expect(await share({ prompt: 'One', imageId })).toMatchObject({ error: null })
    const { posts } = await server.client().posts.list.query()
    await asha.trpc.posts.delete.mutate({ id: posts[0]?.id ?? '' })
    expect(await share({ prompt: 'Four', imageId })).toMatchObject(limitReached)
    expect(await share({ prompt: 'Mine', photo: await upload() }, ravi)).toMatchObject({ error: null })
    now += 60_000
    expect(await share({ prompt: 'Four', imageId })).toMatchObject({ error: null })
    expect(await uploadsIn(server.directory)).toHaveLength(3)
  })

  test('holds for simultaneous posts', async () => {
    const server = await startTestServer({ env: { DAILY_POST_LIMIT: '1' } })
    const asha = await server.signUp()
    const { id: imageId } = await asha.generate('A lotus')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        transport.share(server, { prompt: `Words ${index}`, imageId }, asha),
      ),
    )
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    expect(answers.find(({ error }) => error !== null)).toMatchObject(limitReached)
    expect((await server.client().posts.list.query()).total).toBe(1)
  })
})

test('consumes no more than the daily upload limit for simultaneous uploads', async () => {
  const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
  const asha = await server.signUp()
  const photos = await Promise.all(Array.from({ length: 8 }, () => noisyImage().jpeg().toBuffer()))
  const answers = await Promise.all(
    photos.map((photo) => server.postJson('/api/v1/post', { prompt: 'p', photo: dataUrl(photo) }, asha)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
})
