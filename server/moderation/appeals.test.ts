import { beforeAll, expect, test } from 'vitest'
import type { Post } from '../../shared/posts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { freshAddress, shareTestServer, type TestUser } from '../../test/support/test-server.ts'

const server = shareTestServer()
let asha: TestUser
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  meera = await signUpAdministrator(server())
})

async function share(prompt: string, options: { hidePrompt?: boolean } = {}): Promise<Post> {
  const { id: imageId } = await asha.generate(prompt)
  return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, ...options })
}

async function report(post: Post): Promise<void> {
  const visitor = server().client({ 'x-forwarded-for': freshAddress() })
  await visitor.posts.report.mutate({ id: post.id, reason: 'violent' })
}

async function noticeOf(post: Post) {
  const notices = await asha.trpc.moderation.notices.query()
  return notices.find(({ postId }) => postId === post.id)
}

async function entryOf(post: Post) {
  const { entries } = await meera.trpc.moderation.listReported.query()
  return entries.find((entry) => entry.post.id === post.id)
}

const count = () => meera.trpc.moderation.countReported.query()
const appeal = (post: Post, comment = 'It is a lamp.', who = asha) =>
  who.trpc.moderation.appeal.mutate({ postId: post.id, comment })

test('the author of a hidden post reads why, with the note, but not who decided', async () => {
  const post = await share('A lamp with a note', { hidePrompt: true })
  await report(post)
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
  const [record] = await meera.trpc.moderation.auditLog.query()
  expect(record).toMatchObject({ action: 'hide', note: 'Too bright' })
  const { moderation } = await asha.trpc.account.export.query()
  expect(moderation[0]).toMatchObject({ note: 'Too bright', appeal: null })
})

test('an appeal is listed before other posts, once for each decision, until it is dismissed', async () => {
  const post = await share('A lamp to argue about')
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  const before = await count()
  await appeal(post)
  expect(await count()).toBe(before + 1)
  await report(await share('A lamp reported later'))
  const { entries } = await meera.trpc.moderation.listReported.query()
  expect(entries[0]).toMatchObject({ post: { id: post.id }, appeal: { comment: 'It is a lamp.' } })
  await expect(appeal(post, 'Again')).rejects.toMatchObject({
    message: 'You have already appealed against this decision.',
  })
  await meera.trpc.moderation.dismiss.mutate({ id: post.id })
  expect(await entryOf(post)).toMatchObject({ isHidden: true, appeal: null })
  expect(await noticeOf(post)).toMatchObject({
    state: 'hidden',
    appeal: { comment: 'It is a lamp.', isDismissed: true },
  })
})

test('unhiding a post answers the appeal; a new decision can be appealed again', async () => {
  const post = await share('A lamp that returns')
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  await appeal(post, 'First')
  await meera.trpc.moderation.unhide.mutate({ id: post.id })
  expect(await noticeOf(post)).toMatchObject({ state: 'restored', appeal: null })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  expect(await entryOf(post)).toMatchObject({ appeal: null })
  await appeal(post, 'Second')
  expect(await entryOf(post)).toMatchObject({ appeal: { comment: 'Second' } })
})

test('simultaneous appeals are stored once', async () => {
  const post = await share('A lamp with many appeals')
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  const results = await Promise.allSettled(Array.from({ length: 4 }, (_, index) => appeal(post, `${index}`)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('the author of a deleted post reads that it was deleted, for a month', async () => {
  const post = await share('A lamp to be deleted')
  await meera.trpc.posts.delete.mutate({ id: post.id })
  expect(await noticeOf(post)).toMatchObject({ state: 'deleted', post: null, appeal: null })
  await expect(appeal(post)).rejects.toMatchObject({ data: { httpStatus: 404 } })
  const month = 31 * 24 * 60 * 60 * 1_000
  await server()
    .services.db.updateTable('moderation_log')
    .set({ created_at: Date.now() - month })
    .execute()
  expect(await noticeOf(post)).toBeUndefined()
})

test('rejects an appeal about a visible post, about a post of another user, and without words', async () => {
  const post = await share('A lamp in peace')
  await expect(appeal(post)).rejects.toMatchObject({ data: { httpStatus: 404 } })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  await expect(appeal(post, 'Mine', ravi)).rejects.toMatchObject({ data: { httpStatus: 404 } })
  await expect(appeal(post, '  ')).rejects.toMatchObject({
    message: 'Please say why the post should be shown.',
  })
  expect(await noticeOf(post)).toMatchObject({ appeal: null })
})
