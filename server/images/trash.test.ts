import { access } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { thumbnailUrl } from '../../shared/image-files.ts'
import { trashDays, type SucceededImage } from '../../shared/images.ts'
import type { Visibility } from '../../shared/posts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { eventually, follow } from '../../test/support/generations.ts'
import { dataUrl } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { encodeCursor } from '../db/pagination.ts'
import { msPerDay } from '../db/gallery.ts'
import { sweepImages } from './sweep-images.ts'

/** Time of the server. */
let now = Date.now()
const server = shareTestServer({
  env: { DAILY_IMAGE_LIMIT: '500', DAILY_POST_LIMIT: '500' },
  now: () => now,
})
let asha: TestUser
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  meera = await signUpAdministrator(server())
})
beforeEach(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
})

const missing = { message: 'Image not found.', data: { reason: 'not_found', httpStatus: 404 } }
const missingPost = { data: { reason: 'not_found', httpStatus: 404 } }

function share(image: SucceededImage, visibility: Visibility = 'public', prompt = image.prompt) {
  return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id, visibility })
}

const trashOf = async (user: TestUser) => (await user.trpc.images.list.query({ filter: 'trash' })).images

async function trash(...images: readonly SucceededImage[]): Promise<void> {
  for (const { id } of images) {
    now += 1_000
    await asha.trpc.images.delete.mutate({ id })
  }
}

const statusOf = async (address: string, user?: TestUser) =>
  (await server().request(address, { headers: server().headersOf(user) })).status

const folderOf = (photo: string) => path.join(server().directory, path.dirname(photo))

const isStored = (photo: string) =>
  access(folderOf(photo)).then(
    () => true,
    () => false,
  )

async function sweepAfterDays(days: number) {
  now += days * msPerDay
  return sweepImages(server().services)
}

describe('a deleted image', () => {
  test('is in the trash of its owner only, with its posts, for 30 days', async () => {
    const lotus = await asha.generate('A lotus for the trash')
    const kite = await asha.generate('A kite for the trash')
    const post = await share(lotus, 'unlisted')
    await trash(kite, lotus)
    const expiresAt = new Date(now + trashDays * msPerDay).toISOString()
    expect(await trashOf(asha)).toMatchObject([
      { id: lotus.id, prompt: lotus.prompt, posts: [{ id: post.id, visibility: 'unlisted' }], expiresAt },
      { id: kite.id, posts: [] },
    ])
    expect(await trashOf(ravi)).toEqual([])
    for (const filter of ['all', 'shared'] as const)
      expect((await asha.trpc.images.list.query({ filter })).images).toEqual([])
  })

  test('is served to its owner only, in any size', async () => {
    const image = await asha.generate('A lotus out of sight')
    await trash(image)
    for (const address of [image.photo, thumbnailUrl(image.photo, 320)]) {
      for (const user of [undefined, ravi, meera]) expect(await statusOf(address, user)).toBe(404)
      expect(await statusOf(address, asha)).toBe(200)
    }
    expect(await statusOf(`/api/images/${image.id}/download`, asha)).toBe(404)
  })

  test('and its posts are not found, also by their author', async () => {
    const image = await asha.generate('A lotus with posts')
    const posts = [await share(image), await share(image, 'private', 'Mine')]
    await ravi.trpc.posts.like.mutate({ id: posts[0]?.id ?? '' })
    await trash(image)
    for (const { id } of posts) {
      for (const { trpc } of [asha, ravi, meera])
        await expect(trpc.posts.get.query({ id })).rejects.toMatchObject(missingPost)
      expect(await statusOf(`/posts/${id}`, asha)).toBe(404)
      expect(await statusOf(`/api/posts/${id}/download`, asha)).toBe(404)
      const calls = [
        () => asha.trpc.posts.update.mutate({ id, visibility: 'public' }),
        () => asha.trpc.posts.delete.mutate({ id }),
        () => asha.trpc.posts.like.mutate({ id }),
        () => ravi.trpc.posts.unlike.mutate({ id }),
        () => ravi.trpc.posts.report.mutate({ id, reason: 'spam' }),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject(missingPost)
    }
    const list = await ravi.trpc.posts.list.query({ search: 'A lotus with posts' })
    expect(list).toMatchObject({ posts: [], total: 0 })
  })

  test('can be neither shared nor used, and its prompt and its bytes make new images', async () => {
    const photo = new Uint8Array(await plainJpeg('to be uploaded again'))
    const form = () => {
      const data = new FormData()
      data.set('file', new Blob([photo]))
      return data
    }
    const upload = await asha.trpc.images.upload.mutate(form())
    const image = await asha.generate('A lotus to be drawn again')
    await trash(image, { ...image, id: upload.id })
    for (const { id } of [image, upload]) {
      await expect(asha.trpc.images.get.query({ id })).rejects.toMatchObject(missing)
      await expect(asha.trpc.images.delete.mutate({ id })).rejects.toMatchObject(missing)
      await expect(follow(asha.trpc, { id }).ended).rejects.toMatchObject(missing)
      await expect(share({ ...image, id })).rejects.toMatchObject(missing)
    }
    expect((await asha.trpc.images.upload.mutate(form())).id).not.toBe(upload.id)
    expect((await asha.generate(image.prompt)).id).not.toBe(image.id)
  })

  test('frees its request key', async () => {
    const request = { prompt: 'A lotus by key', requestKey: `key-of-${asha.id}` }
    const [first] = (await asha.trpc.images.generate.mutate(request)).images
    await follow(asha.trpc, { id: first?.id ?? '' }).ended
    await asha.trpc.images.delete.mutate({ id: first?.id ?? '' })
    const [second] = (await asha.trpc.images.generate.mutate(request)).images
    expect(second?.id).not.toBe(first?.id)
  })

  test('is exported with the visibility of its posts', async () => {
    const image = await asha.generate('A lotus to be exported')
    const { id } = await share(image)
    await trash(image)
    expect(await asha.trpc.account.export.query()).toMatchObject({
      images: [{ id: image.id, trashedAt: new Date(now).toISOString() }],
      posts: [{ id, visibility: 'private', trashedVisibility: 'public' }],
    })
  })
})

describe('the trash', () => {
  test('lists images in pages, the one that was last deleted first', async () => {
    const images = []
    for (const number of [1, 2, 3]) images.push(await asha.generate(`Page ${number} of the trash`))
    const [first, second, third] = images
    if (!first || !second || !third) throw new Error('no images')
    await trash(third, first, second)
    const { list } = asha.trpc.images
    const page = await list.query({ filter: 'trash', limit: 2 })
    expect(page.images.map(({ id }) => id)).toEqual([second.id, first.id])
    const rest = await list.query({ filter: 'trash', limit: 2, cursor: page.nextCursor })
    expect(rest).toMatchObject({ images: [{ id: third.id }], nextCursor: null })
    const cursor = encodeCursor('image', 1)
    await expect(list.query({ filter: 'trash', cursor })).rejects.toMatchObject({
      data: { httpStatus: 400 },
    })
  })

  test('holds the uploads of a user', async () => {
    const photo = dataUrl(await plainJpeg(`an upload of ${asha.id}`))
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'An upload', photo })
    const [listed] = (await asha.trpc.images.list.query({ filter: 'shared' })).images
    await asha.trpc.images.delete.mutate({ id: listed?.id ?? '' })
    expect(await trashOf(asha)).toMatchObject([{ photo: post.photo, posts: [{ id: post.id }] }])
    await asha.trpc.images.restore.mutate({ id: listed?.id ?? '' })
    expect(await ravi.trpc.posts.get.query({ id: post.id })).toMatchObject({ prompt: 'An upload' })
  })

  test('is emptied for its owner only', async () => {
    const before = await uploadsIn(server().directory)
    const images = [await asha.generate('One to empty'), await asha.generate('Two to empty')]
    const kept = await asha.generate('One to keep')
    const other = await ravi.generate('Of Ravi')
    await ravi.trpc.images.delete.mutate({ id: other.id })
    await trash(...images)
    expect(await asha.trpc.images.emptyTrash.mutate()).toEqual({ deleted: 2 })
    expect(await asha.trpc.images.emptyTrash.mutate()).toEqual({ deleted: 0 })
    expect(await trashOf(asha)).toEqual([])
    expect(await trashOf(ravi)).toMatchObject([{ id: other.id }])
    await eventually(async () => (await uploadsIn(server().directory)).length).toBe(before.length + 2)
    expect(await statusOf(kept.photo, asha)).toBe(200)
  })

  test('is deleted with the account, also if the posts are kept', async () => {
    const image = await asha.generate('A lotus of a former user')
    await share(image)
    await trash(image)
    const { deleteAccountData } = await import('../users/account-data.ts')
    await deleteAccountData(server().services, asha.id, { posts: 'keep' })
    expect(await isStored(image.photo)).toBe(false)
    expect(await meera.trpc.posts.list.query({ search: 'of a former user' })).toMatchObject({ total: 0 })
  })
})

describe('restoring an image', () => {
  test('returns it with its posts as they were, and their likes', async () => {
    const image = await asha.generate('A lotus to be restored')
    const posts = [
      await share(image),
      await share(image, 'unlisted', 'By its link'),
      await share(image, 'private', 'For me'),
    ]
    const id = posts[0]?.id ?? ''
    await ravi.trpc.posts.like.mutate({ id })
    const before = await ravi.trpc.posts.list.query({ search: 'to be restored' })
    await trash(image)
    expect(await asha.trpc.images.restore.mutate({ id: image.id })).toMatchObject({ id: image.id })
    expect(await ravi.trpc.posts.list.query({ search: 'to be restored' })).toEqual(before)
    expect(before).toMatchObject({ posts: [{ id, likeCount: 1 }], total: 1 })
    for (const { id: postId, visibility } of posts)
      expect(await asha.trpc.posts.get.query({ id: postId })).toMatchObject({ visibility })
    expect(await statusOf(image.photo)).toBe(200)
    expect(await trashOf(asha)).toEqual([])
    const [listed] = (await asha.trpc.images.list.query()).images
    expect(listed).toMatchObject({ id: image.id })
    expect(listed).not.toHaveProperty('expiresAt')
  })

  test('keeps its rank in the list of the most liked', async () => {
    const image = await asha.generate('A most liked lotus')
    const { id } = await share(image)
    await ravi.trpc.posts.like.mutate({ id })
    await trash(image)
    const top = () => ravi.trpc.posts.list.query({ sort: 'top', authorId: asha.id })
    expect((await top()).posts).toEqual([])
    await asha.trpc.images.restore.mutate({ id: image.id })
    expect((await top()).posts).toMatchObject([{ id, likeCount: 1 }])
  })

  test('does nothing for an image that another tab has restored', async () => {
    const image = await asha.generate('A lotus of two tabs')
    const { id } = await share(image)
    await trash(image)
    const tabs = Array.from({ length: 4 }, () => asha.trpc.images.restore.mutate({ id: image.id }))
    for (const restored of await Promise.all(tabs)) expect(restored).toMatchObject({ id: image.id })
    expect(await ravi.trpc.posts.get.query({ id })).toMatchObject({ visibility: 'public' })
  })

  test('is rejected for images of other users, and once it is deleted permanently', async () => {
    const image = await asha.generate('A lotus that is gone')
    await trash(image)
    await expect(ravi.trpc.images.restore.mutate({ id: image.id })).rejects.toMatchObject(missing)
    await expect(ravi.trpc.images.deletePermanently.mutate({ id: image.id })).rejects.toMatchObject(missing)
    expect(await asha.trpc.images.deletePermanently.mutate({ id: image.id })).toEqual({ id: image.id })
    await expect(asha.trpc.images.restore.mutate({ id: image.id })).rejects.toMatchObject(missing)
    await expect(asha.trpc.images.deletePermanently.mutate({ id: image.id })).rejects.toMatchObject(missing)
    expect(await isStored(image.photo)).toBe(false)
  })

  test('is the only way for an image that was restored meanwhile: it is not deleted permanently', async () => {
    const image = await asha.generate('A lotus that stays')
    await expect(asha.trpc.images.deletePermanently.mutate({ id: image.id })).rejects.toMatchObject(missing)
    expect(await statusOf(image.photo, asha)).toBe(200)
  })
})

describe('moderation', () => {
  async function shareReported(prompt: string) {
    const image = await asha.generate(prompt)
    const { id } = await share(image)
    await ravi.trpc.posts.report.mutate({ id, reason: 'spam' })
    return { image, id }
  }

  const isReported = async (id: string) =>
    (await meera.trpc.moderation.listReported.query()).entries.some(({ post }) => post.id === id)

  test('does not list a reported post while it is in the trash', async () => {
    const { image, id } = await shareReported('A reported lotus')
    expect(await isReported(id)).toBe(true)
    await trash(image)
    expect(await isReported(id)).toBe(false)
    await asha.trpc.images.restore.mutate({ id: image.id })
    expect(await isReported(id)).toBe(true)
  })

  test('keeps a post hidden that was hidden while it was in the trash', async () => {
    const { image, id } = await shareReported('A lotus hidden in the trash')
    await trash(image)
    await meera.trpc.moderation.hide.mutate({ id })
    expect(await isReported(id)).toBe(true)
    expect(await asha.trpc.images.restore.mutate({ id: image.id })).toMatchObject({ isHidden: true })
    await expect(ravi.trpc.posts.get.query({ id })).rejects.toMatchObject(missingPost)
    expect(await statusOf(image.photo)).toBe(404)
    await meera.trpc.moderation.unhide.mutate({ id })
    expect(await ravi.trpc.posts.get.query({ id })).toMatchObject({ visibility: 'public' })
  })

  test.each(['by its owner', 'after 30 days'])(
    'decides about a hidden image that is deleted permanently %s',
    async (how) => {
      const { image, id } = await shareReported(`A lotus as evidence ${how}`)
      await trash(image)
      await meera.trpc.moderation.hide.mutate({ id })
      if (how === 'by its owner') await asha.trpc.images.deletePermanently.mutate({ id: image.id })
      else await sweepAfterDays(trashDays + 1)
      expect(await trashOf(asha)).toEqual([])
      expect(await isStored(image.photo)).toBe(true)
      expect(await isReported(id)).toBe(true)
      await meera.trpc.moderation.unhide.mutate({ id })
      expect(await isStored(image.photo)).toBe(false)
    },
  )

  test('deletes the image of a post in the trash', async () => {
    const { image, id } = await shareReported('A lotus deleted by an administrator')
    await trash(image)
    await meera.trpc.posts.delete.mutate({ id })
    expect(await trashOf(asha)).toEqual([])
    expect(await isStored(image.photo)).toBe(false)
  })
})

describe('the sweep', () => {
  test('deletes images with their posts after 30 days in the trash', async () => {
    const [lotus, kite] = [await asha.generate('A lotus to expire'), await asha.generate('A kite to expire')]
    await share(lotus)
    await trash(lotus)
    await sweepAfterDays(2)
    await trash(kite)
    expect(await sweepAfterDays(trashDays - 2)).toMatchObject({ deleted: 1 })
    expect(await trashOf(asha)).toMatchObject([{ id: kite.id }])
    expect([await isStored(lotus.photo), await isStored(kite.photo)]).toEqual([false, true])
    expect(await sweepAfterDays(2)).toMatchObject({ deleted: 1 })
    expect(await isStored(kite.photo)).toBe(false)
  })

  test('is done once by several processes that begin it at the same time', async () => {
    const image = await asha.generate('A lotus swept once')
    await trash(image)
    now += (trashDays + 1) * msPerDay
    const sweeps = await Promise.all(Array.from({ length: 4 }, () => sweepImages(server().services)))
    expect(sweeps.filter(({ deleted }) => deleted > 0)).toMatchObject([{ deleted: 1 }])
  })

  test('measures images of earlier versions', async () => {
    const { db } = server().services
    const image = await asha.generate('A lotus without its size')
    const bytes = () =>
      db.selectFrom('images').select('bytes').where('id', '=', image.id).executeTakeFirstOrThrow()
    const stored = await bytes()
    expect(stored.bytes).toBeGreaterThan(1_000)
    await db.updateTable('images').set({ bytes: null }).where('id', '=', image.id).execute()
    expect(await sweepAfterDays(1)).toMatchObject({ measured: 1 })
    expect(await bytes()).toEqual(stored)
  })
})
