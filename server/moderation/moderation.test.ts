import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Post } from '../../shared/posts.ts'
import { deletePost } from '../posts/change-post.ts'
import { createRateLimiter, createWriteLimits } from '../rate-limits/rate-limiter.ts'
import { changeAccess, setRole } from '../access/user-access.ts'
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
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  meera = await signUpAdministrator(server())
})

const share = (prompt: string, options?: object, who = asha) => who.share(prompt, options)

/** A visitor who never called before. */
function visitor(of: TestServer = server()) {
  return of.client({ 'x-forwarded-for': freshAddress() })
}

const report = ({ id }: Post, reason: 'spam' | 'illegal' | 'violent' = 'spam') =>
  visitor().posts.report.mutate({ id, reason })

async function entryOf(post: Post) {
  const { entries } = await meera.trpc.moderation.listReported.query()
  return entries.find((entry) => entry.post.id === post.id)
}

async function isListed(post: Post): Promise<boolean> {
  const { posts } = await visitor().posts.list.query({ limit: 1_000 })
  return posts.some(({ id }) => id === post.id)
}

const notFound = { message: 'Post not found.', data: { httpStatus: 404 } }

describe('a report', () => {
  test('is listed for administrators with its comment, without the reporter', async () => {
    const post = await share('A lamp that offends')
    const comment = ' This is\u0000<b>wrong</b> '
    await visitor().posts.report.mutate({ id: post.id, reason: 'hateful', comment })
    await asha.trpc.posts.report.mutate({ id: post.id, reason: 'spam' })
    const [id, createdAt] = [expect.any(Number), expect.any(String)]
    expect(await entryOf(post)).toMatchObject({
      post,
      isHidden: false,
      isWithdrawn: false,
      postsOfImage: 1,
      reportCount: 2,
      reports: [
        { id, reason: 'spam', comment: '', createdAt },
        { id, reason: 'hateful', comment: 'This is <b>wrong</b>', createdAt },
      ],
    })
    expect(JSON.stringify(await entryOf(post))).not.toContain('reporter')
    expect(await isListed(post)).toBe(true)
  })

  test.each([
    [{ reason: 'because' }, 400, 'Please choose a reason'],
    [{ reason: 'spam', comment: 'x'.repeat(501) }, 400, 'A report may have at most 500 characters.'],
    [{ reason: 'spam' }, 404, 'Post not found.'],
  ])('is rejected with the input %j', async (part, httpStatus, message) => {
    const [body, headers] = [{ id: 'none', ...part }, { 'x-forwarded-for': freshAddress() }]
    const response = await server().postJson('/trpc/posts.report', body, undefined, headers)
    expect(await response.json()).toMatchObject({ error: { message, data: { httpStatus } } })
  })

  test('is rate-limited per network', async () => {
    const writeLimits = { ...createWriteLimits(), reports: createRateLimiter(2, 60) }
    const strict = await startTestServer({ writeLimits })
    const [one, other] = [visitor(strict), visitor(strict)]
    for (const [trpc, httpStatus] of [
      [one, 404],
      [one, 404],
      [one, 429],
      [other, 404],
    ] as const)
      await expect(trpc.posts.report.mutate({ id: 'none', reason: 'spam' })).rejects.toMatchObject({
        data: { httpStatus },
      })
  })
})

describe('an administrator', () => {
  test('dismisses reports, and sees new ones', async () => {
    const post = await share('A harmless lamp')
    await report(post)
    await meera.trpc.moderation.dismiss.mutate({ id: post.id })
    expect([await isListed(post), await entryOf(post)]).toEqual([true, undefined])
    await report(post)
    expect(await entryOf(post)).toMatchObject({ reportCount: 1 })
  })

  test('is recorded in the audit log, once per action, but not for deleting a post of their own', async () => {
    const post = await share('A traced lamp')
    const { id } = post
    for (const reason of ['spam', 'illegal', 'spam'] as const) await report(post, reason)
    for (const action of ['hide', 'hide', 'dismiss', 'dismiss', 'unhide'] as const)
      await meera.trpc.moderation[action].mutate({ id })
    const own = await share('My own lamp', {}, meera)
    await meera.trpc.posts.delete.mutate({ id: own.id })
    const record = {
      administrator: 'Meera',
      postId: id,
      postName: 'Asha',
      authorId: asha.id,
      note: '',
      createdAt: expect.any(String),
    }
    const log = await meera.trpc.moderation.auditLog.query()
    expect(log.filter(({ postId }) => [id, own.id].includes(postId))).toEqual([
      { ...record, action: 'unhide', reasons: [] },
      { ...record, action: 'dismiss', reasons: ['illegal', 'spam'] },
      { ...record, action: 'hide', reasons: ['illegal', 'spam'] },
    ])
    expect(await meera.trpc.moderation.auditLog.query({ postId: id })).toEqual(
      log.filter(({ postId }) => postId === id),
    )
    await report(post, 'violent')
    await meera.trpc.posts.delete.mutate({ id })
    const [last] = await meera.trpc.moderation.auditLog.query()
    expect(last).toEqual({ ...record, action: 'delete', postName: null, reasons: ['violent'] })
  })

  test('gets an error for an unknown post', async () => {
    const { hide, unhide, dismiss, setSensitive: mark } = meera.trpc.moderation
    for (const call of [hide, unhide, dismiss])
      await expect(call.mutate({ id: 'none' })).rejects.toMatchObject(notFound)
    await expect(mark.mutate({ id: 'none', isSensitive: true })).rejects.toMatchObject(notFound)
  })
})

test('lists the most recently reported post first, and hidden posts without reports last', async () => {
  const own = await startTestServer()
  const [member, admin] = [await own.signUp(), await signUpAdministrator(own)]
  const [first, second, third] = [
    await share('first', {}, member),
    await share('second', {}, member),
    await share('third', {}, member),
  ]
  await admin.trpc.moderation.hide.mutate({ id: first.id })
  for (const { id } of [third, second]) await visitor(own).posts.report.mutate({ id, reason: 'spam' })
  const { entries, total } = await admin.trpc.moderation.listReported.query()
  expect(entries.map(({ post }) => post.prompt)).toEqual(['second', 'third', 'first'])
  expect(total).toBe(3)
})

describe('the author of a hidden post', () => {
  async function noticeOf(post: Post) {
    const notices = await asha.trpc.moderation.notices.query()
    return notices.find(({ postId }) => postId === post.id)
  }

  const appeal = (post: Post, comment = 'It is a lamp.', who = asha) =>
    who.trpc.moderation.appeal.mutate({ postId: post.id, comment })

  async function shareHidden(prompt: string): Promise<Post> {
    const post = await share(prompt)
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    return post
  }

  test('reads why, with the note, but not who decided', async () => {
    const post = await share('A lamp with a note', { hidePrompt: true })
    await report(post, 'violent')
    await meera.trpc.moderation.hide.mutate({ id: post.id, note: ' Too bright\u0000 ' })
    const notice = await noticeOf(post)
    expect(notice).toEqual({
      postId: post.id,
      state: 'hidden',
      post: expect.objectContaining({ id: post.id, photo: post.photo, prompt: 'A lamp with a note' }),
      reasons: ['violent'],
      note: 'Too bright',
      createdAt: expect.any(String),
      appeal: null,
    })
    expect(JSON.stringify(notice)).not.toContain('Meera')
    expect(await ravi.trpc.moderation.notices.query()).toEqual([])
    expect((await meera.trpc.moderation.auditLog.query())[0]).toMatchObject({ note: 'Too bright' })
    const { moderation } = await asha.trpc.account.export.query()
    expect(moderation[0]).toMatchObject({ note: 'Too bright', appeal: null })
  })

  test('appeals once for each decision, which is listed before other posts until it is dismissed', async () => {
    const post = await shareHidden('A lamp to argue about')
    const count = await meera.trpc.moderation.countReported.query()
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => appeal(post)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await meera.trpc.moderation.countReported.query()).toBe(count + 1)
    await report(await share('A lamp reported later'))
    const { entries } = await meera.trpc.moderation.listReported.query()
    expect(entries[0]).toMatchObject({ post: { id: post.id }, appeal: { comment: 'It is a lamp.' } })
    await expect(appeal(post)).rejects.toThrow('You have already appealed against this decision.')
    await meera.trpc.moderation.dismiss.mutate({ id: post.id })
    expect(await entryOf(post)).toMatchObject({ isHidden: true, appeal: null })
    expect(await noticeOf(post)).toMatchObject({
      state: 'hidden',
      appeal: { comment: 'It is a lamp.', isDismissed: true },
    })
  })

  test('is answered by unhiding the post, and can appeal against a new decision', async () => {
    const post = await shareHidden('A lamp that returns')
    await appeal(post, 'First')
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    expect(await noticeOf(post)).toMatchObject({ state: 'restored', appeal: null })
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    expect(await entryOf(post)).toMatchObject({ appeal: null })
    await appeal(post, 'Second')
    expect(await entryOf(post)).toMatchObject({ appeal: { comment: 'Second' } })
  })

  test('reads that it was deleted, for a month', async () => {
    const post = await share('A lamp to be deleted')
    await meera.trpc.posts.delete.mutate({ id: post.id })
    expect(await noticeOf(post)).toMatchObject({ state: 'deleted', post: null, appeal: null })
    await expect(appeal(post)).rejects.toMatchObject(notFound)
    const month = 31 * 24 * 60 * 60 * 1_000
    const log = server().services.db.updateTable('moderation_log').where('post_id', '=', post.id)
    await log.set({ created_at: Date.now() - month }).execute()
    expect(await noticeOf(post)).toBeUndefined()
  })

  test('cannot appeal about a visible post, a post of another user, and without words', async () => {
    const visible = await share('A lamp in peace')
    await expect(appeal(visible)).rejects.toMatchObject(notFound)
    const post = await shareHidden('A lamp at night')
    await expect(appeal(post, 'Mine', ravi)).rejects.toMatchObject(notFound)
    await expect(appeal(post, '  ')).rejects.toThrow('Please say why the post should be shown.')
    expect(await noticeOf(post)).toMatchObject({ appeal: null })
  })
})

describe('a sensitive mark of an administrator', () => {
  const mark = ({ id }: Post, isSensitive = true) =>
    meera.trpc.moderation.setSensitive.mutate({ id, isSensitive })
  const isMarked = async ({ id }: Post) => (await asha.trpc.posts.get.query({ id })).isSensitive

  test('is recorded once, and only an administrator removes it', async () => {
    const post = await share('A lamp that dazzles')
    const { id } = post
    await asha.trpc.posts.update.mutate({ id, isSensitive: true })
    await mark(post)
    await mark(post)
    expect(await isMarked(post)).toBe(true)
    const log = await meera.trpc.moderation.auditLog.query()
    const records = log.filter(({ postId }) => postId === id)
    expect(records).toMatchObject([{ action: 'mark_sensitive', authorId: asha.id }])
    await expect(asha.trpc.posts.update.mutate({ id, isSensitive: false })).rejects.toMatchObject({
      message: 'A moderator has marked this post as sensitive.',
      data: { httpStatus: 403 },
    })
    await mark(post, false)
    expect(await isMarked(post)).toBe(false)
    for (const isSensitive of [true, false]) await asha.trpc.posts.update.mutate({ id, isSensitive })
    expect(await isMarked(post)).toBe(false)
  })

  test('holds for every post of the image, also for later ones', async () => {
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
    // A mark that was recorded without the bytes holds for the image.
    const log = server().services.db.updateTable('moderation_log').set({ image_sha256: null })
    await log.where('post_id', '=', plain.id).execute()
    expect(await shareAs('Long after')).toMatchObject({ isSensitive: true })
    await mark(later, false)
    expect(await Promise.all([own, plain, later].map(isMarked))).toEqual([false, false, false])
    expect(await shareAs('After the mark', { isSensitive: false })).toMatchObject({ isSensitive: false })
  })

  test('holds for the same bytes that the author uploads again, not for those of others', async () => {
    const bytesOf = async (address: string) => {
      const answer = await server().request(address, { headers: server().headersOf(asha) })
      return dataUrl(Buffer.from(await answer.arrayBuffer()))
    }
    const upload = (photo: string) =>
      asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A photo', photo })
    const uploaded = dataUrl(await noisyImage().png().toBuffer())
    const first = await upload(uploaded)
    const generated = await share('A lamp to download')
    const download = `/api/posts/${generated.id}/download`
    const copies = [uploaded]
    for (const path of [first.photo, generated.photo, download]) copies.push(await bytesOf(path))
    await mark(first)
    await mark(generated)
    await asha.trpc.posts.delete.mutate({ id: first.id })
    const { images } = await asha.trpc.images.list.query()
    const id = images.find(({ prompt }) => prompt === 'A lamp to download')?.id ?? ''
    await asha.trpc.images.delete.mutate({ id })
    await asha.trpc.images.deletePermanently.mutate({ id })
    for (const photo of copies) {
      const again = await upload(photo)
      expect(again).toMatchObject({ isSensitive: true })
      await asha.trpc.posts.delete.mutate({ id: again.id })
    }
    expect(await share('A lamp to download', {}, ravi)).toMatchObject({ isSensitive: false })
  })
})

describe('a moderator', () => {
  let kiran: TestUser
  beforeEach(async () => {
    kiran = await server().signUp('Kiran Das')
    await setRole(server().services.db, kiran.id, 'moderator')
  })

  test('decides about no private post that is not reported', async () => {
    const { id } = await share('A lamp in a drawer', { visibility: 'private' })
    const { hide, dismiss, setSensitive: mark } = kiran.trpc.moderation
    for (const call of [hide, dismiss]) await expect(call.mutate({ id })).rejects.toMatchObject(notFound)
    await expect(mark.mutate({ id, isSensitive: true })).rejects.toMatchObject(notFound)
    expect(await asha.trpc.posts.get.query({ id })).toMatchObject({ isSensitive: false })
    expect(await meera.trpc.moderation.hide.mutate({ id })).toEqual({ id })
  })

  test('hides a reported post that has become private, which it did not list or count', async () => {
    const post = await share('A lamp put away')
    const { id } = post
    await report(post)
    const { countReported, hide, listReported } = kiran.trpc.moderation
    const counted = await countReported.query()
    await asha.trpc.posts.update.mutate({ id, visibility: 'private' })
    expect(await countReported.query()).toBe(counted - 1)
    expect(await hide.mutate({ id })).toEqual({ id })
    expect(await countReported.query()).toBe(counted)
    expect((await listReported.query()).entries.map((entry) => entry.post.id)).toContain(id)
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
    const { services } = server()
    const viewer = { id: kiran.id, role: 'moderator', firstName: 'Kiran', imageUrl: null } as const
    const ctx = { services, viewer, by: 'session' } as const
    await changeAccess(services.db, kiran.id, { blocked_at: 1 })
    for (const decide of [
      () => moderatePost({ ctx, input: { id } }, 'hide'),
      () => setSensitive({ ctx, input: { id, isSensitive: true } }),
      () => deletePost({ ctx: { ...ctx, viewer: { ...viewer, role: 'administrator' } }, input: { id } }),
    ])
      await expect(decide()).rejects.toMatchObject({ code: 'forbidden' })
    expect(await asha.trpc.posts.get.query({ id })).toMatchObject({ isSensitive: false })
  })
})
