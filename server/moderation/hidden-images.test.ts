import { beforeAll, describe, expect, test } from 'vitest'
import type { SucceededImage } from '../../shared/images.ts'
import { fitSizes, fitUrl, thumbnailSizes, thumbnailUrl } from '../../shared/image-files.ts'
import type { Post } from '../../shared/posts.ts'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { transports } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestUser,
} from '../../test/support/test-server.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '200', DAILY_POST_LIMIT: '200' } })
let asha: TestUser
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  meera = await signUpAdministrator(server())
})

const visitor = () => server().client({ 'x-forwarded-for': freshAddress() })

function share(image: SucceededImage, prompt = image.prompt, who = asha): Promise<Post> {
  return who.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
}

async function shareHidden(prompt: string) {
  const image = await asha.generate(prompt)
  const post = await share(image)
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  return { image, post }
}

async function bytesOf(photo: string, who?: TestUser): Promise<Buffer> {
  const answer = await server().request(photo, { headers: server().headersOf(who) })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

async function listed(search: string): Promise<readonly string[]> {
  const { posts, total } = await visitor().posts.list.query({ search })
  expect(total).toBe(posts.length)
  return posts.map(({ id }) => id)
}

const hidden = 'A moderator has hidden this image. It cannot be shared.'

describe('the file of a hidden image', () => {
  const filesOf = ({ photo }: SucceededImage) => [
    photo,
    ...thumbnailSizes.map((size) => thumbnailUrl(photo, size)),
    ...fitSizes.map((size) => fitUrl(photo, size)),
  ]

  test('is not found for visitors and other users, in any size', async () => {
    const { image } = await shareHidden('A lamp out of reach')
    for (const path of filesOf(image)) {
      for (const who of [undefined, ravi]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await server().request(path, { method, headers: server().headersOf(who) })
          expect(answer.status).toBe(404)
          expect(answer.headers.get('cache-control')).toBe('no-store')
        }
      }
    }
  })

  test('is served to its owner and to administrators, without caching', async () => {
    const image = await asha.generate('A lamp for two')
    const before = await bytesOf(image.photo, asha)
    await meera.trpc.moderation.hide.mutate({ id: (await share(image)).id })
    for (const path of filesOf(image)) {
      for (const who of [asha, meera]) {
        const answer = await server().request(path, { headers: server().headersOf(who) })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('cache-control')).toBe('private, no-store')
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
        expect(answer.headers.get('content-security-policy')).toContain('sandbox')
      }
    }
    expect((await bytesOf(image.photo, asha)).equals(before)).toBe(true)
  })

  test('is served to an API key of its owner', async () => {
    const { image } = await shareHidden('A lamp for a program')
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A program' })
    const headers = { authorization: `Bearer ${key}` }
    expect((await server().request(image.photo, { headers })).status).toBe(200)
    const other = await ravi.trpc.account.apiKeys.create.mutate({ name: 'Another program' })
    const others = { authorization: `Bearer ${other.key}` }
    expect((await server().request(image.photo, { headers: others })).status).toBe(404)
  })

  test('is served to everyone again once an administrator unhides its post', async () => {
    const { image, post } = await shareHidden('A lamp that returns')
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    for (const path of filesOf(image)) {
      const answer = await server().request(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('is not regenerated as a missing thumbnail', async () => {
    const { image } = await shareHidden('A lamp without a thumbnail')
    const folder = image.photo.split('/')[2] ?? ''
    await server().services.blobs.add(folder, '320.webp', new Uint8Array())
    expect((await server().request(thumbnailUrl(image.photo, 320))).status).toBe(404)
  })
})

test('the file of an image without a row is not found', async () => {
  const image = await asha.generate('A lamp without a row')
  await server().services.db.deleteFrom('images').where('id', '=', image.id).execute()
  expect((await server().request(image.photo)).status).toBe(404)
})

test('a hidden image is served to its owner and to administrators with Clerk', async () => {
  const users = 'user_administrator'
  const own = await startTestServer({ env: clerkEnv({ CLERK_ADMINISTRATORS: users }) })
  const [owner, other] = [signInAtClerk(own), signInAtClerk(own)]
  const administrator = signInAtClerk(own, users)
  const image = await owner.generate('A lamp at Clerk')
  const post = await owner.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lamp', imageId: image.id })
  await administrator.trpc.moderation.hide.mutate({ id: post.id })
  const statusFor = async (who?: TestUser) =>
    (await own.request(image.photo, { headers: who ? { cookie: who.cookie } : {} })).status
  expect(await Promise.all([owner, administrator, other, undefined].map(statusFor))).toEqual([
    200, 200, 404, 404,
  ])
})

describe('hiding a post', () => {
  test('hides every post of the same image, and unhiding restores them', async () => {
    const image = await asha.generate('A lamp in three posts')
    const posts: Post[] = []
    for (const number of ['one', 'two', 'three']) posts.push(await share(image, `Three lamps, ${number}`))
    const [first, second, third] = posts.map(({ id }) => id)
    const before = await visitor().posts.list.query()
    expect(await listed('three lamps')).toEqual([third, second, first])

    await meera.trpc.moderation.hide.mutate({ id: second ?? '' })
    expect(await listed('three lamps')).toEqual([])
    expect(await listed('lamps, t')).toEqual([])
    expect((await visitor().posts.list.query()).total).toBe(before.total - 3)
    const { entries } = await meera.trpc.moderation.listReported.query()
    const ids = entries.filter(({ isHidden }) => isHidden).map(({ post }) => post.id)
    expect(ids).toEqual(expect.arrayContaining([first, second, third]))

    await meera.trpc.moderation.unhide.mutate({ id: first ?? '' })
    expect(await listed('three lamps')).toEqual([third, second, first])
    expect((await visitor().posts.list.query()).total).toBe(before.total)
  })

  test('hides the author’s other copies of the same bytes, and no other user’s', async () => {
    const [image, copy] = [await asha.generate('A lamp, twice'), await asha.generate('A lamp, twice')]
    const [post, twin] = [await share(image, 'Twin lamps'), await share(copy, 'Twin lamps again')]
    const other = await ravi.generate('A lamp, twice')
    const theirs = await share(other, 'Twin lamps of Ravi', ravi)
    expect(await bytesOf(copy.photo)).toEqual(await bytesOf(other.photo))

    await meera.trpc.moderation.hide.mutate({ id: post.id })
    expect(await listed('twin lamps')).toEqual([theirs.id])
    expect((await server().request(copy.photo)).status).toBe(404)
    expect((await server().request(other.photo)).status).toBe(200)
    await meera.trpc.moderation.unhide.mutate({ id: twin.id })
    expect(await listed('twin lamps')).toEqual([theirs.id, twin.id, post.id])
  })
})

describe('the owner of a hidden image', () => {
  test('sees that it is hidden', async () => {
    const { image, post } = await shareHidden('A lamp with a note')
    const stateOf = async () => {
      const { images } = await asha.trpc.images.list.query()
      return images.find(({ id }) => id === image.id)?.isHidden
    }
    expect(image.isHidden).toBe(false)
    expect(await stateOf()).toBe(true)
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    expect(await stateOf()).toBe(false)
  })

  test.each(transports)('cannot share it again through $name', async (transport) => {
    const image = await asha.generate(`A lamp to share twice by ${transport.name}`)
    const photo = dataUrl(await bytesOf(image.photo, asha))
    const post = await share(image)
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    const words = { name: 'Asha', prompt: 'Shared again' }
    for (const body of [
      { ...words, imageId: image.id },
      { ...words, photo },
    ]) {
      expect(await transport.share(server(), body, asha)).toMatchObject({ status: 403, error: hidden })
    }
    expect(await listed('shared again')).toEqual([])
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    const again = await transport.share(server(), { ...words, photo }, asha)
    expect(again.error).toBeNull()
    expect(await listed('shared again')).toHaveLength(1)
    const { posts } = await asha.trpc.posts.list.query({ search: 'shared again' })
    await asha.trpc.posts.delete.mutate({ id: posts[0]?.id ?? '' })
  })

  test.each(transports)(
    'cannot upload it again through $name, and no upload is counted',
    async (transport) => {
      const original = dataUrl(await noisyImage().png().toBuffer(), 'image/png')
      const words = { name: 'Asha', prompt: `An upload by ${transport.name}` }
      expect(await transport.share(server(), { ...words, photo: original }, asha)).toMatchObject({
        error: null,
      })
      const { posts } = await asha.trpc.posts.list.query({ search: words.prompt })
      const stored = dataUrl(await bytesOf(posts[0]?.photo ?? ''))
      await meera.trpc.moderation.hide.mutate({ id: posts[0]?.id ?? '' })

      const uploads = () =>
        server()
          .services.db.selectFrom('daily_usage')
          .select('used')
          .where('user_id', '=', asha.id)
          .where('kind', '=', 'upload')
          .execute()
      const before = await uploads()
      for (const photo of [original, stored]) {
        const answer = await transport.share(server(), { ...words, photo }, asha)
        expect(answer).toMatchObject({ status: 403, error: hidden })
      }
      expect(await uploads()).toEqual(before)
      expect(await listed(words.prompt.toLowerCase())).toEqual([])
    },
  )

  test('cannot share a later copy, which is hidden too', async () => {
    await shareHidden('A lamp made once more')
    const copy = await asha.generate('A lamp made once more')
    expect(copy.isHidden).toBe(true)
    expect((await server().request(copy.photo)).status).toBe(404)
    await expect(share(copy)).rejects.toMatchObject({
      message: hidden,
      data: { httpStatus: 403, reason: 'forbidden' },
    })
  })
})

test('another user may share an image of the same bytes', async () => {
  await shareHidden('A lamp of two users')
  const image = await ravi.generate('A lamp of two users')
  await share(image, 'A lamp of Ravi', ravi)
  const photo = dataUrl(await plainJpeg('A lamp of two users'))
  await ravi.trpc.posts.create.mutate({ name: 'Ravi', prompt: 'A lamp of Ravi, uploaded', photo })
  expect(await listed('a lamp of ravi')).toHaveLength(2)
})

test('an image hidden while it is being shared appears in no visible post', async () => {
  for (let round = 0; round < 8; round += 1) {
    const prompt = `A racing lamp ${round}`
    const image = await asha.generate(prompt)
    const post = await share(image)
    await Promise.allSettled([
      share(image, `${prompt} before`),
      meera.trpc.moderation.hide.mutate({ id: post.id }),
      share(image, `${prompt} after`),
    ])
    expect(await listed(`${prompt} `)).toEqual([])
  }
})
