import { beforeAll, describe, expect, test } from 'vitest'
import { fitUrl, thumbnailSizes, thumbnailUrl } from '../../shared/image-files.ts'
import type { Visibility } from '../../shared/posts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { uploadsIn } from '../../test/support/site.ts'
import { createRateLimiter, createWriteLimits } from '../rate-limits/rate-limiter.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '200', DAILY_POST_LIMIT: '200' } })
let asha: TestUser
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  meera = await signUpAdministrator(server())
})

const filesOf = (photo: string) => [
  photo,
  ...thumbnailSizes.map((size) => thumbnailUrl(photo, size)),
  fitUrl(photo, 640),
]

const request = (path: string, who?: TestUser) => server().request(path, { headers: server().headersOf(who) })

async function bytesOf(path: string, who: TestUser): Promise<Buffer> {
  const response = await request(path, who)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

async function share(prompt: string, imageId: string, visibility: Visibility = 'public') {
  return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, visibility })
}

describe('the files of an image whose posts are all private', () => {
  test('are served to its owner only, without caching', async () => {
    const { id } = await asha.generate('A private heron')
    const { photo } = await share('A private heron', id, 'private')
    for (const path of filesOf(photo)) {
      for (const who of [undefined, ravi, meera]) expect((await request(path, who)).status).toBe(404)
      const own = await request(path, asha)
      expect(own.status).toBe(200)
      expect(own.headers.get('cache-control')).toBe('private, no-store')
      expect(own.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })

  test('are public as long as one of its posts is not private', async () => {
    const { id } = await asha.generate('A heron twice')
    const { photo } = await share('Once', id, 'private')
    const other = await share('Twice', id, 'unlisted')
    expect(other.photo).toBe(photo)
    expect((await request(photo)).headers.get('cache-control')).toContain('immutable')
    await asha.trpc.posts.delete.mutate({ id: other.id })
    expect((await request(photo)).status).toBe(404)
  })
})

describe('an image that becomes private', () => {
  test.each(['public', 'unlisted'] as const)(
    'moves from its %s address, with every file',
    async (visibility) => {
      const { id: imageId } = await asha.generate(`A heron that was ${visibility}`)
      const { id, photo } = await share('A heron', imageId, visibility)
      const before = await Promise.all(filesOf(photo).map((path) => bytesOf(path, ravi)))
      const moved = await asha.trpc.posts.update.mutate({ id, visibility: 'private' })
      expect(moved.photo).not.toBe(photo)
      const after = await Promise.all(filesOf(moved.photo).map((path) => bytesOf(path, asha)))
      expect(after.map((bytes, index) => bytes.equals(before[index] ?? Buffer.of()))).not.toContain(false)
      for (const path of filesOf(photo)) expect((await request(path, asha)).status).toBe(404)
      expect(await uploadsIn(server().directory)).not.toContain(photo.split('/')[2])
      expect(await asha.trpc.images.get.query({ id: imageId })).toMatchObject({ photo: moved.photo })
      const again = await asha.trpc.posts.update.mutate({ id, visibility: 'public' })
      expect(again.photo).toBe(moved.photo)
      expect((await request(again.photo)).status).toBe(200)
    },
  )

  test('keeps its address until its last post is private', async () => {
    const { id: imageId } = await asha.generate('A heron of two posts')
    const [first, second] = [await share('First', imageId), await share('Second', imageId)]
    const one = await asha.trpc.posts.update.mutate({ id: first.id, visibility: 'private' })
    expect(one.photo).toBe(first.photo)
    const two = await asha.trpc.posts.update.mutate({ id: second.id, visibility: 'private' })
    expect(two.photo).not.toBe(first.photo)
    expect(await asha.trpc.posts.get.query({ id: first.id })).toMatchObject({ photo: two.photo })
  })

  test('moves once if its posts become private at the same time', async () => {
    const { id: imageId } = await asha.generate('A heron in a hurry')
    const posts = [await share('First', imageId), await share('Second', imageId)]
    const folders = (await uploadsIn(server().directory)).length
    await Promise.all(posts.map(({ id }) => asha.trpc.posts.update.mutate({ id, visibility: 'private' })))
    const { photo } = await asha.trpc.images.get.query({ id: imageId })
    expect(photo).not.toBe(posts[0]?.photo)
    expect((await request(photo ?? '', asha)).status).toBe(200)
    expect(await uploadsIn(server().directory)).toHaveLength(folders)
  })
})

test('limits how many images a user makes private in an hour, and says when to try again', async () => {
  const own = await startTestServer({
    writeLimits: { ...createWriteLimits(), moves: createRateLimiter(1, 60, 'images_made_private') },
  })
  const kamala = await own.signUp()
  const { id: imageId, photo } = await kamala.generate('A limit')
  const { id } = await kamala.trpc.posts.create.mutate({ prompt: 'A limit', imageId })
  const set = (visibility: Visibility) => kamala.trpc.posts.update.mutate({ id, visibility })
  await set('private')
  const { photo: address } = await set('public')
  expect(address).not.toBe(photo)
  await expect(set('private')).rejects.toMatchObject({
    message: expect.stringMatching(/^Too many images made private. Try again in \d+ seconds/),
    data: { httpStatus: 429 },
  })
  expect(await kamala.trpc.posts.get.query({ id })).toMatchObject({ visibility: 'public', photo: address })
})
