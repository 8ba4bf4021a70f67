import { beforeAll, describe, expect, test } from 'vitest'
import type { Post } from '../../shared/posts.ts'
import { deletePost } from '../posts/posts-service.ts'
import { createRateLimiter, createWriteLimits } from '../rate-limits/rate-limiter.ts'
import { setBlocked, setRole } from '../access/user-access.ts'
import { moderatePost, setSensitive } from './moderate-post.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestUser,
  type TestServer,
} from '../../test/support/test-server.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '200', DAILY_POST_LIMIT: '200' } })
let asha: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  meera = await signUpAdministrator(server())
})

async function share(prompt: string): Promise<Post> {
  const { id: imageId } = await asha.generate(prompt)
  return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
}

/** A visitor who never called before. */
function visitor(of: TestServer = server()) {
  return of.client({ 'x-forwarded-for': freshAddress() })
}

async function entryOf(post: Post) {
  const { entries } = await meera.trpc.moderation.listReported.query()
  return entries.find((entry) => entry.post.id === post.id)
}

async function isListed(post: Post): Promise<boolean> {
  const { posts } = await visitor().posts.list.query({ limit: 1_000 })
  return posts.some(({ id }) => id === post.id)
}

describe('a report', () => {
  test('is listed for administrators with its comment, without the reporter', async () => {
    const post = await share('A lamp that offends')
    await visitor().posts.report.mutate({
      id: post.id,
      reason: 'hateful',
      comment: ' This is\u0000<b>wrong</b> ',
    })
    await asha.trpc.posts.report.mutate({ id: post.id, reason: 'spam' })
    const entry = await entryOf(post)
    expect(entry?.post).toEqual(post)
    expect(entry).toMatchObject({ isHidden: false, isWithdrawn: false, postsOfImage: 1, reportCount: 2 })
    expect(entry?.reports).toEqual([
      { id: expect.any(Number), reason: 'spam', comment: '', createdAt: expect.any(String) },
      {
        id: expect.any(Number),
        reason: 'hateful',
        comment: 'This is <b>wrong</b>',
        createdAt: expect.any(String),
      },
    ])
    expect(await isListed(post)).toBe(true)
  })

  test.each([
    [{ reason: 'because' }, 'BAD_REQUEST', 'Please choose a reason'],
    [{}, 'BAD_REQUEST', 'Please choose a reason'],
    [
      { reason: 'spam', comment: 'x'.repeat(501) },
      'BAD_REQUEST',
      'A report may have at most 500 characters.',
    ],
    [
      { reason: 'spam', comment: '👩‍👩‍👧‍👦'.repeat(182) },
      'BAD_REQUEST',
      'A report may have at most 2,000 UTF-16 code units. Emoji and combined letters take several each: use fewer of them.',
    ],
    [{ reason: 'spam', id: 'none' }, 'NOT_FOUND', 'Post not found.'],
  ])('is rejected with the input %j', async (part, code, message) => {
    const { id } = await share('A lamp')
    const answer = await server().postJson('/trpc/posts.report', { id, ...part }, undefined, {
      'x-forwarded-for': freshAddress(),
    })
    expect(await answer.json()).toMatchObject({ error: { message, data: { code } } })
  })

  test('is rate-limited per network', async () => {
    const strict = await startTestServer({
      writeLimits: { ...createWriteLimits(), reports: createRateLimiter(2, 60) },
    })
    const one = visitor(strict)
    const report = { id: 'none', reason: 'spam' } as const
    for (let reports = 0; reports < 2; reports += 1) {
      await expect(one.posts.report.mutate(report)).rejects.toMatchObject({ data: { httpStatus: 404 } })
    }
    await expect(one.posts.report.mutate(report)).rejects.toMatchObject({
      data: { httpStatus: 429, retryAfter: expect.any(Number) },
    })
    await expect(visitor(strict).posts.report.mutate(report)).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
  })
})

describe('an administrator', () => {
  test('hides a post from everyone, and unhides it', async () => {
    const post = await share('A lamp to hide')
    const before = await visitor().posts.list.query()
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    expect(await isListed(post)).toBe(false)
    const hidden = await visitor().posts.list.query({ search: 'lamp to hide' })
    expect(hidden).toMatchObject({ posts: [], total: 0 })
    expect((await visitor().posts.list.query()).total).toBe(before.total - 1)
    const rest = await server().request('/api/v1/post')
    expect(await rest.text()).not.toContain('A lamp to hide')
    expect(await (await server().request('/')).text()).not.toContain('A lamp to hide')
    expect(await entryOf(post)).toMatchObject({ isHidden: true, reportCount: 0 })
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    expect(await isListed(post)).toBe(true)
    expect(await entryOf(post)).toBeUndefined()
  })

  test('dismisses reports, and sees new ones', async () => {
    const post = await share('A harmless lamp')
    await visitor().posts.report.mutate({ id: post.id, reason: 'other' })
    await meera.trpc.moderation.dismiss.mutate({ id: post.id })
    expect(await entryOf(post)).toBeUndefined()
    expect(await isListed(post)).toBe(true)
    await visitor().posts.report.mutate({ id: post.id, reason: 'other' })
    expect(await entryOf(post)).toMatchObject({ reportCount: 1 })
  })

  test('deletes a post with its reports', async () => {
    const post = await share('A lamp to delete')
    await visitor().posts.report.mutate({ id: post.id, reason: 'illegal' })
    await meera.trpc.posts.delete.mutate({ id: post.id })
    expect(await isListed(post)).toBe(false)
    expect(await entryOf(post)).toBeUndefined()
  })

  test('is recorded in the audit log, once per action', async () => {
    const post = await share('A traced lamp')
    await visitor().posts.report.mutate({ id: post.id, reason: 'spam' })
    await visitor().posts.report.mutate({ id: post.id, reason: 'illegal' })
    await visitor().posts.report.mutate({ id: post.id, reason: 'spam' })
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    await meera.trpc.moderation.dismiss.mutate({ id: post.id })
    await meera.trpc.moderation.dismiss.mutate({ id: post.id })
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    const record = {
      administrator: 'Meera',
      postId: post.id,
      postName: 'Asha',
      authorId: asha.id,
      note: '',
      createdAt: expect.any(String),
    }
    const whileThere = await meera.trpc.moderation.auditLog.query()
    expect(whileThere.filter(({ postId }) => postId === post.id)).toEqual([
      { ...record, action: 'unhide', reasons: [] },
      { ...record, action: 'dismiss', reasons: ['illegal', 'spam'] },
      { ...record, action: 'hide', reasons: ['illegal', 'spam'] },
    ])
    await visitor().posts.report.mutate({ id: post.id, reason: 'copyright' })
    await meera.trpc.posts.delete.mutate({ id: post.id })
    const [last] = await meera.trpc.moderation.auditLog.query()
    expect(last).toEqual({ ...record, action: 'delete', postName: null, reasons: ['copyright'] })
  })

  test('is not recorded for deleting a post of their own', async () => {
    const { id: imageId } = await meera.generate('My own lamp')
    const own = await meera.trpc.posts.create.mutate({ name: 'Meera', prompt: 'My own lamp', imageId })
    await meera.trpc.posts.delete.mutate({ id: own.id })
    const log = await meera.trpc.moderation.auditLog.query()
    expect(log.some(({ postId }) => postId === own.id)).toBe(false)
  })

  test('gets an error for an unknown post', async () => {
    for (const act of ['hide', 'unhide', 'dismiss'] as const) {
      await expect(meera.trpc.moderation[act].mutate({ id: 'none' })).rejects.toMatchObject({
        data: { httpStatus: 404 },
      })
    }
  })
})

test('lists the most recently reported post first, and hidden posts without reports last', async () => {
  const own = await startTestServer()
  const ravi = await own.signUp('Ravi')
  const admin = await signUpAdministrator(own)
  const posts: Post[] = []
  for (const prompt of ['first', 'second', 'third']) {
    const { id: imageId } = await ravi.generate(prompt)
    posts.push(await ravi.trpc.posts.create.mutate({ name: 'Ravi', prompt, imageId }))
  }
  const [first, second, third] = posts
  await admin.trpc.moderation.hide.mutate({ id: first?.id ?? '' })
  for (const post of [third, second]) {
    await visitor(own).posts.report.mutate({ id: post?.id ?? '', reason: 'spam' })
  }
  const { entries, total } = await admin.trpc.moderation.listReported.query()
  expect(entries.map(({ post }) => post.prompt)).toEqual(['second', 'third', 'first'])
  expect(total).toBe(3)
})

describe('a user who is not an administrator', () => {
  test.each(['listReported', 'auditLog'] as const)('cannot query moderation.%s', async (name) => {
    await expect(asha.trpc.moderation[name].query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
    await expect(visitor().moderation[name].query()).rejects.toMatchObject({ data: { httpStatus: 401 } })
  })

  test.each(['hide', 'unhide', 'dismiss'] as const)('cannot %s', async (name) => {
    const { id } = await share('A lamp of mine')
    await expect(asha.trpc.moderation[name].mutate({ id })).rejects.toMatchObject({
      data: { httpStatus: 403 },
    })
    await expect(visitor().moderation[name].mutate({ id })).rejects.toMatchObject({
      data: { httpStatus: 401 },
    })
  })
})

describe('a sensitive mark', () => {
  test('of an administrator is recorded once, and only an administrator removes it', async () => {
    const post = await share('A lamp that dazzles')
    const set = (isSensitive: boolean) =>
      meera.trpc.moderation.setSensitive.mutate({ id: post.id, isSensitive })
    const isSensitive = async () => (await visitor().posts.get.query({ id: post.id })).isSensitive
    await asha.trpc.posts.update.mutate({ id: post.id, isSensitive: true })
    await set(true)
    await set(true)
    expect(await isSensitive()).toBe(true)
    const log = await meera.trpc.moderation.auditLog.query()
    const records = log.filter(({ postId }) => postId === post.id)
    expect(records).toMatchObject([{ action: 'mark_sensitive', authorId: asha.id }])
    await expect(asha.trpc.posts.update.mutate({ id: post.id, isSensitive: false })).rejects.toMatchObject({
      message: 'A moderator has marked this post as sensitive.',
      data: { httpStatus: 403 },
    })
    await set(false)
    expect(await isSensitive()).toBe(false)
    await asha.trpc.posts.update.mutate({ id: post.id, isSensitive: true })
    await asha.trpc.posts.update.mutate({ id: post.id, isSensitive: false })
    expect(await isSensitive()).toBe(false)
  })

  const mark = ({ id }: Post, isSensitive = true) =>
    meera.trpc.moderation.setSensitive.mutate({ id, isSensitive })
  const isMarked = async ({ id }: Post) => (await asha.trpc.posts.get.query({ id })).isSensitive

  test('of an administrator holds for every post of the image, also for later ones', async () => {
    const image = await asha.generate('A lamp in several posts')
    const shareAs = (prompt: string, options: { isSensitive?: boolean; visibility?: 'unlisted' } = {}) =>
      asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id, ...options })
    const own = await shareAs('Sensitive to its author', { isSensitive: true })
    const plain = await shareAs('Plain')
    expect([own.isSensitive, plain.isSensitive]).toEqual([true, false])
    const copy = await share('A lamp in several posts')
    await mark(plain)
    expect(await Promise.all([own, plain, copy].map(isMarked))).toEqual([true, true, true])
    const later = await shareAs('Another prompt', { isSensitive: false, visibility: 'unlisted' })
    expect(later).toMatchObject({ isSensitive: true, visibility: 'unlisted' })
    expect(await shareAs('Another prompt', { isSensitive: false })).toEqual(later)
    expect(await share('A lamp in several posts')).toMatchObject({ isSensitive: true })
    for (const { id } of [own, copy, later]) {
      const remove = asha.trpc.posts.update.mutate({ id, isSensitive: false })
      await expect(remove).rejects.toMatchObject({ data: { detail: { code: 'marked_sensitive' } } })
    }
    await mark(later, false)
    expect(await Promise.all([own, plain, copy, later].map(isMarked))).toEqual([false, false, false, false])
    expect(await shareAs('After the mark', { isSensitive: false })).toMatchObject({ isSensitive: false })
  })

  test('of an administrator holds for the same bytes that the author uploads again', async () => {
    const bytesOf = async (address: string) => {
      const answer = await server().request(address, { headers: server().headersOf(asha) })
      return dataUrl(Buffer.from(await answer.arrayBuffer()))
    }
    const upload = (photo: string) =>
      asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A photo', photo })
    const uploaded = dataUrl(await noisyImage().png().toBuffer())
    const first = await upload(uploaded)
    const generated = await share('A lamp to download')
    const copies = [uploaded, await bytesOf(first.photo), await bytesOf(generated.photo)]
    copies.push(await bytesOf(`/api/posts/${generated.id}/download`))
    await mark(first)
    await mark(generated)
    await asha.trpc.posts.delete.mutate({ id: first.id })
    const { images } = await asha.trpc.images.list.query()
    const image = images.find(({ prompt }) => prompt === 'A lamp to download')
    await asha.trpc.images.delete.mutate({ id: image?.id ?? '' })
    await asha.trpc.images.deletePermanently.mutate({ id: image?.id ?? '' })
    for (const photo of copies) {
      const again = await upload(photo)
      expect(again).toMatchObject({ isSensitive: true })
      await asha.trpc.posts.delete.mutate({ id: again.id })
    }
  })

  test('of an administrator holds for no other user’s image of the same bytes', async () => {
    await mark(await share('A lamp of two users'))
    const ravi = await server().signUp('Ravi Shah')
    const { id: imageId } = await ravi.generate('A lamp of two users')
    const post = await ravi.trpc.posts.create.mutate({ name: 'Ravi', prompt: 'A lamp', imageId })
    expect(post).toMatchObject({ isSensitive: false })
  })

  test('that was recorded without the bytes holds for the image', async () => {
    const { id: imageId } = await asha.generate('A lamp marked long ago')
    const shareAs = (prompt: string) => asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
    const post = await shareAs('First')
    await mark(post)
    await server()
      .services.db.updateTable('moderation_log')
      .set({ image_sha256: null })
      .where('post_id', '=', post.id)
      .execute()
    expect(await shareAs('Second')).toMatchObject({ isSensitive: true })
  })

  test('of an unknown post is not found', async () => {
    const call = meera.trpc.moderation.setSensitive.mutate({ id: 'unknown', isSensitive: true })
    await expect(call).rejects.toMatchObject({ message: 'Post not found.' })
  })
})

describe('a moderator', () => {
  let kiran: TestUser
  beforeAll(async () => {
    kiran = await server().signUp('Kiran Das')
    await setRole(server().services.db, kiran.id, 'moderator')
  })

  async function sharePrivately(prompt: string): Promise<string> {
    const { id } = await share(prompt)
    await asha.trpc.posts.update.mutate({ id, name: 'A secret name', visibility: 'private' })
    return id
  }

  const decisions = (id: string, who: TestUser) => [
    () => who.trpc.moderation.hide.mutate({ id }),
    () => who.trpc.moderation.dismiss.mutate({ id }),
    () => who.trpc.moderation.setSensitive.mutate({ id, isSensitive: true }),
  ]

  test('decides about no private post that is not reported', async () => {
    const id = await sharePrivately('A lamp in a drawer')
    for (const decide of decisions(id, kiran)) {
      await expect(decide()).rejects.toMatchObject({ message: 'Post not found.', data: { httpStatus: 404 } })
    }
    expect(await asha.trpc.posts.get.query({ id })).toMatchObject({ isSensitive: false })
    expect(await meera.trpc.moderation.hide.mutate({ id })).toEqual({ id })
  })

  test('hides a reported post that has become private, which it did not list or count', async () => {
    const { id } = await share('A lamp put away')
    await visitor().posts.report.mutate({ id, reason: 'other' })
    const counted = await kiran.trpc.moderation.countReported.query()
    await asha.trpc.posts.update.mutate({ id, visibility: 'private' })
    expect(await kiran.trpc.moderation.countReported.query()).toBe(counted - 1)
    expect(await kiran.trpc.moderation.hide.mutate({ id })).toEqual({ id })
    expect(await kiran.trpc.moderation.countReported.query()).toBe(counted)
    expect((await kiran.trpc.moderation.listReported.query()).entries.map(({ post }) => post.id)).toContain(
      id,
    )
  })

  test('reads no name of a post that has become private in the audit log', async () => {
    const { id } = await share('A lamp under a name')
    await kiran.trpc.moderation.setSensitive.mutate({ id, isSensitive: true })
    await asha.trpc.posts.update.mutate({ id, name: 'A name of its own', visibility: 'private' })
    const log = await kiran.trpc.moderation.auditLog.query()
    expect(log[0]).toMatchObject({ postId: id, action: 'mark_sensitive', postName: null })
    expect(JSON.stringify(log)).not.toContain('A name of its own')
  })

  test('who is blocked after the request was authenticated decides nothing', async () => {
    const { id } = await share('A lamp too late')
    const viewer = { id: kiran.id, role: 'moderator', firstName: 'Kiran', imageUrl: null } as const
    await setBlocked(server().services.db, kiran.id, 1)
    const rejected = { code: 'forbidden' }
    const hide = moderatePost(server().services, viewer, { id, action: 'hide' })
    await expect(hide).rejects.toMatchObject(rejected)
    const mark = setSensitive(server().services, viewer, { id, isSensitive: true })
    await expect(mark).rejects.toMatchObject(rejected)
    const remove = deletePost(server().services, { ...viewer, role: 'administrator' }, { id })
    await expect(remove).rejects.toMatchObject(rejected)
    expect(await asha.trpc.posts.get.query({ id })).toMatchObject({ isSensitive: false })
  })
})
