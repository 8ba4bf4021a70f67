import { access } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { trashDays, type SucceededImage } from '../../shared/images.ts'
import type { Visibility } from '../../shared/posts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { allCapabilities, createInstantEngine, uploadJpeg } from '../../test/support/engine.ts'
import { createScriptedEngine, eventually, follow, imageRows } from '../../test/support/generations.ts'
import { uploadsIn } from '../../test/support/site.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { encodeCursor } from '../db/pagination.ts'
import { msPerDay } from '../db/gallery.ts'
import { deleteAccountData } from '../users/delete-account.ts'
import { sweepImages } from './trash-sweep.ts'
import { discardUploads } from './trash.ts'

/** Time of the server. */
let now = Date.now()
const held = createScriptedEngine({ id: 'held', capabilities: allCapabilities })
const server = shareTestServer({
  env: { DAILY_IMAGE_LIMIT: '500', DAILY_POST_LIMIT: '500' },
  engines: [createInstantEngine(), held.engine],
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

/** Queues a generation that ends when the test lets it. */
async function hold(prompt: string, options: object = {}) {
  const input = { prompt, engine: 'held', ...options }
  const [image] = (await asha.trpc.images.generate.mutate(input)).images
  return { id: image?.id ?? '', job: await held.waitForJob(prompt) }
}

const list = async (filter: 'all' | 'shared' | 'trash', user = asha) =>
  (await user.trpc.images.list.query({ filter })).images

const idsIn = async (filter: 'all' | 'trash') => (await list(filter)).map(({ id }) => id)

/** Reads the ids of all images of a user, also of those in no list. */
const rowsOf = async (user: TestUser) =>
  (await imageRows(server())).flatMap(({ id, owner_id }) => (owner_id === user.id ? [id] : []))

async function trash(...images: readonly SucceededImage[]): Promise<void> {
  for (const { id } of images) {
    now += 1_000
    expect(await asha.trpc.images.delete.mutate({ id })).toEqual({ id })
  }
}

const statusOf = async (address: string, user?: TestUser) =>
  (await server().request(address, { headers: server().headersOf(user) })).status

const isStored = (photo: string) =>
  access(path.join(server().directory, path.dirname(photo))).then(
    () => true,
    () => false,
  )

async function sweepAfterDays(days: number) {
  now += days * msPerDay
  return sweepImages(server().services)
}

describe('a deleted image', () => {
  test('is in the trash of its owner only, with its posts, for 30 days, and stays counted', async () => {
    const lotus = await asha.generate('A lotus for the trash')
    const kite = await asha.generate('A kite for the trash')
    const kept = await asha.generate('A kept lotus')
    const post = await share(lotus, 'unlisted')
    await share(kept)
    await trash(kite, lotus)
    const expiresAt = new Date(now + trashDays * msPerDay).toISOString()
    expect(await list('trash')).toMatchObject([
      { id: lotus.id, prompt: lotus.prompt, posts: [{ id: post.id, visibility: 'unlisted' }], expiresAt },
      { id: kite.id, posts: [] },
    ])
    expect(await list('trash', ravi)).toEqual([])
    for (const filter of ['all', 'shared'] as const) expect(await list(filter)).toMatchObject([kept])
    expect(await statusOf(kept.photo)).toBe(200)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 3 })
    expect(await asha.trpc.account.export.query()).toMatchObject({
      images: expect.arrayContaining([
        expect.objectContaining({ id: lotus.id, trashedAt: new Date(now).toISOString() }),
      ]),
      posts: expect.arrayContaining([
        expect.objectContaining({ id: post.id, visibility: 'private', trashedVisibility: 'unlisted' }),
      ]),
    })
  })

  test('and its posts are not found, also by their author', async () => {
    const image = await asha.generate('A lotus with posts')
    const posts = [await share(image), await share(image, 'private', 'Mine')]
    await ravi.trpc.posts.like.mutate({ id: posts[0]?.id ?? '' })
    await trash(image)
    for (const { id } of posts) {
      const calls = [
        () => asha.trpc.posts.update.mutate({ id, visibility: 'public' }),
        () => asha.trpc.posts.delete.mutate({ id }),
        () => asha.trpc.posts.like.mutate({ id }),
        () => ravi.trpc.posts.unlike.mutate({ id }),
        () => ravi.trpc.posts.report.mutate({ id, reason: 'spam' }),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject(missingPost)
    }
    const search = await ravi.trpc.posts.list.query({ search: 'A lotus with posts' })
    expect(search).toMatchObject({ posts: [], total: 0 })
  })

  test('can be neither shared nor used, and its request key, prompt and bytes make new images', async () => {
    const request = { prompt: 'A lotus to be drawn again', requestKey: `key-of-${asha.id}` }
    const [queued] = (await asha.trpc.images.generate.mutate(request)).images
    const image = await follow(asha.trpc, { id: queued?.id ?? '' }).ended
    const uploadId = await uploadJpeg(asha, 'to be uploaded again')
    await trash(image, { ...image, id: uploadId })
    for (const id of [image.id, uploadId]) {
      await expect(asha.trpc.images.get.query({ id })).rejects.toMatchObject(missing)
      await expect(asha.trpc.images.delete.mutate({ id })).rejects.toMatchObject(missing)
      await expect(follow(asha.trpc, { id }).ended).rejects.toMatchObject(missing)
      await expect(share({ ...image, id })).rejects.toMatchObject(missing)
    }
    expect(await uploadJpeg(asha, 'to be uploaded again')).not.toBe(uploadId)
    expect((await asha.trpc.images.generate.mutate(request)).images[0]?.id).not.toBe(image.id)
  })

  test('has to be finished: one without files or for edits is deleted at once', async () => {
    const { id } = await hold('Still running')
    await expect(asha.trpc.images.delete.mutate({ id })).rejects.toMatchObject({
      message: 'This image is still being generated. Cancel it first.',
      data: { reason: 'bad_input', httpStatus: 400 },
    })
    await asha.trpc.images.cancel.mutate({ id })
    const failing = await hold('To fail')
    failing.job.fail(new Error('out of paint'))
    await follow(asha.trpc, { id: failing.id }).ended.catch(() => {})
    for (const one of [id, failing.id, await uploadJpeg(asha, 'a mask', true)])
      await asha.trpc.images.delete.mutate({ id: one })
    expect(await rowsOf(asha)).toEqual([])
  })

  test('is deleted once for simultaneous requests', async () => {
    const image = await asha.generate('A lotus deleted once')
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map(() =>
        server().client(server().headersOf(asha)).images.delete.mutate({ id: image.id }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(missing)
  })
})

describe('the trash', () => {
  test('lists images in pages, the one that was last deleted first', async () => {
    const images = []
    for (const number of [1, 2, 3]) images.push(await asha.generate(`Page ${number} of the trash`))
    await trash(...images)
    const pageOf = (cursor?: string | null) =>
      asha.trpc.images.list.query({ filter: 'trash', limit: 2, ...(cursor && { cursor }) })
    const page = await pageOf()
    expect(page.images.map(({ id }) => id)).toEqual([images[2]?.id, images[1]?.id])
    expect(await pageOf(page.nextCursor)).toMatchObject({
      images: [{ id: images[0]?.id }],
      nextCursor: null,
    })
    await expect(pageOf(encodeCursor('image', 1))).rejects.toMatchObject({ data: { httpStatus: 400 } })
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
    expect(await list('trash')).toEqual([])
    expect(await list('trash', ravi)).toMatchObject([{ id: other.id }])
    await eventually(async () => (await uploadsIn(server().directory)).length).toBe(before.length + 2)
    expect(await statusOf(kept.photo, asha)).toBe(200)
  })

  test('is deleted with the account, also if the posts are kept', async () => {
    const image = await asha.generate('A lotus of a former user')
    await share(image)
    await trash(image)
    await deleteAccountData(server().services, asha.id, { posts: 'keep' })
    expect(await isStored(image.photo)).toBe(false)
    expect(await meera.trpc.posts.list.query({ search: 'of a former user' })).toMatchObject({ total: 0 })
  })
})

describe('restoring an image', () => {
  test('returns it with its posts as they were, their likes and their rank, also from several tabs', async () => {
    const image = await asha.generate('A lotus to be restored')
    const posts = [
      await share(image),
      await share(image, 'unlisted', 'By its link'),
      await share(image, 'private', 'For me'),
    ]
    const id = posts[0]?.id ?? ''
    await ravi.trpc.posts.like.mutate({ id })
    const search = () => ravi.trpc.posts.list.query({ search: 'to be restored' })
    const top = () => ravi.trpc.posts.list.query({ sort: 'top', authorId: asha.id })
    const before = [await search(), await top()]
    expect(before[0]).toMatchObject({ posts: [{ id, likeCount: 1 }], total: 1 })
    await trash(image)
    expect((await top()).posts).toEqual([])
    const tabs = Array.from({ length: 4 }, () => asha.trpc.images.restore.mutate({ id: image.id }))
    for (const restored of await Promise.all(tabs)) expect(restored).toMatchObject({ id: image.id })
    expect([await search(), await top()]).toEqual(before)
    for (const { id: postId, visibility } of posts)
      expect(await asha.trpc.posts.get.query({ id: postId })).toMatchObject({ visibility })
    expect(await list('trash')).toEqual([])
    const [listed] = await list('all')
    expect(listed).toMatchObject({ id: image.id })
    expect(listed).not.toHaveProperty('expiresAt')
  })

  test('is rejected for images of other users, and once it is deleted permanently', async () => {
    const image = await asha.generate('A lotus that is gone')
    const { id } = image
    await expect(asha.trpc.images.deletePermanently.mutate({ id })).rejects.toMatchObject(missing)
    await trash(image)
    await expect(ravi.trpc.images.restore.mutate({ id })).rejects.toMatchObject(missing)
    await expect(ravi.trpc.images.deletePermanently.mutate({ id })).rejects.toMatchObject(missing)
    expect(await asha.trpc.images.deletePermanently.mutate({ id })).toEqual({ id })
    for (const call of ['restore', 'deletePermanently'] as const)
      await expect(asha.trpc.images[call].mutate({ id })).rejects.toMatchObject(missing)
    expect(await isStored(image.photo)).toBe(false)
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

  test('keeps a post hidden that was hidden while it was in the trash', async () => {
    const { image, id } = await shareReported('A lotus hidden in the trash')
    await trash(image)
    expect(await isReported(id)).toBe(false)
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
      expect(await list('trash')).toEqual([])
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
    expect(await list('trash')).toEqual([])
    expect(await isStored(image.photo)).toBe(false)
  })
})

describe('the sweep', () => {
  const setDays = (unsharedImageDays: number | null) =>
    meera.trpc.admin.options.update.mutate({ unsharedImageDays })
  beforeEach(async () => {
    await setDays(10)
    // Deletes the images of the other tests.
    for (const days of [11, trashDays + 1]) await sweepAfterDays(days)
  })

  test('moves images that are not shared to the trash after the days of the site, and deletes them 30 days later', async () => {
    const lotus = await asha.generate('A lotus for ten days')
    const expiresAt = new Date(Date.parse(lotus.createdAt) + 10 * msPerDay).toISOString()
    expect(await list('all')).toMatchObject([{ id: lotus.id, expiresAt }])
    await sweepAfterDays(9)
    expect(await idsIn('all')).toEqual([lotus.id])
    expect(await sweepAfterDays(1)).toMatchObject({ trashed: 1 })
    expect([await idsIn('all'), await idsIn('trash')]).toEqual([[], [lotus.id]])
    await sweepAfterDays(trashDays - 1)
    expect(await isStored(lotus.photo)).toBe(true)
    expect(await sweepAfterDays(1)).toMatchObject({ deleted: 1 })
    expect(await isStored(lotus.photo)).toBe(false)
  })

  test('keeps images with a post of any visibility', async () => {
    const posts: string[] = []
    for (const visibility of ['public', 'unlisted', 'private'] as const)
      posts.push((await share(await asha.generate(`A lotus that is ${visibility}`), visibility)).id)
    for (const image of await list('all')) expect(image).not.toHaveProperty('expiresAt')
    const ids = await idsIn('all')
    await sweepAfterDays(11)
    expect(await idsIn('all')).toEqual(ids)
    for (const id of posts) await asha.trpc.posts.delete.mutate({ id })
    await sweepAfterDays(1)
    expect((await idsIn('trash')).toSorted()).toEqual(ids.toSorted())
  })

  test('keeps images for the same time again after they are restored', async () => {
    const { id } = await asha.generate('A lotus that returns')
    await sweepAfterDays(11)
    await asha.trpc.images.restore.mutate({ id })
    const expiresAt = new Date(now + 10 * msPerDay).toISOString()
    expect(await list('all')).toMatchObject([{ id, expiresAt }])
    await sweepAfterDays(9)
    expect(await idsIn('all')).toEqual([id])
    await sweepAfterDays(1)
    expect(await idsIn('trash')).toEqual([id])
  })

  test('keeps images that are hidden, or that a running generation refers to', async () => {
    const hidden = await asha.generate('A hidden lotus')
    await server()
      .services.db.updateTable('images')
      .set({ hidden_at: now })
      .where('id', '=', hidden.id)
      .execute()
    const { id } = await asha.generate('A lotus to refer to')
    now += 11 * msPerDay
    const running = await hold('A lotus like that', { referenceImageIds: [id] })
    await sweepAfterDays(0)
    expect(await idsIn('trash')).toEqual([])
    await running.job.finish()
    await follow(asha.trpc, { id: running.id }).ended
    await sweepAfterDays(1)
    expect(await idsIn('trash')).toEqual([id])
  })

  test('deletes uploads for edits after a week, but not while an image names them', async () => {
    const upload = (text: string) => uploadJpeg(asha, text, true)
    const [unused, mask, source] = [await upload('unused'), await upload('mask'), await upload('extended')]
    const edit = await hold('Edited', { referenceImageIds: [source], maskImageId: mask })
    await sweepAfterDays(6)
    expect(await rowsOf(asha)).toEqual([unused, mask, source, edit.id])
    await sweepAfterDays(1)
    await edit.job.finish()
    await follow(asha.trpc, { id: edit.id }).ended
    await sweepAfterDays(11)
    expect([await rowsOf(asha), await idsIn('trash')]).toEqual([[mask, source, edit.id], [edit.id]])
    expect(await sweepAfterDays(trashDays)).toMatchObject({ deleted: 3 })
    expect(await rowsOf(asha)).toEqual([])
  })

  test('is done once by processes that begin it at the same time, for many users, and leaves what is shared then', async () => {
    for (const user of [asha, ravi])
      for (const number of [1, 2]) await user.generate(`Lotus ${number} of ${user.id}`)
    const image = await asha.generate('A lotus that is shared in time')
    now += 11 * msPerDay
    const [post, ...sweeps] = await Promise.all([
      share(image).catch(() => null),
      ...Array.from({ length: 4 }, () => sweepImages(server().services)),
    ])
    expect(sweeps.filter(({ trashed }) => trashed > 0)).toMatchObject([{ trashed: post ? 4 : 5 }])
    expect(await idsIn(post ? 'all' : 'trash')).toContain(image.id)
  })
})

test('discards unused uploads of a rejected request, and keeps what the user or another request needs', async () => {
  const ids = {
    unused: await uploadJpeg(asha, 'unused'),
    shared: await uploadJpeg(asha, 'shared'),
    reference: await uploadJpeg(asha, 'reference'),
    mask: await uploadJpeg(asha, 'mask'),
    hidden: await uploadJpeg(asha, 'hidden'),
    ofRavi: await uploadJpeg(ravi, 'of Ravi'),
  }
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A photo', imageId: ids.shared })
  const { db } = server().services
  await db.updateTable('images').set({ hidden_at: 1 }).where('id', '=', ids.hidden).execute()
  const { id, job } = await hold('In use', { referenceImageIds: [ids.reference], maskImageId: ids.mask })
  const folders = await uploadsIn(server().directory)
  await discardUploads(server().services, asha.id, [...Object.values(ids), id, 'unknown'])
  expect(await rowsOf(asha)).toEqual([ids.shared, ids.reference, ids.mask, ids.hidden, id])
  expect(await rowsOf(ravi)).toEqual([ids.ofRavi])
  expect(await uploadsIn(server().directory)).toHaveLength(folders.length - 1)
  await job.finish()
})
