import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PostsOfDeleted } from '../../shared/account.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { createScriptedEngine, eventually, follow, imageRows } from '../../test/support/generations.ts'
import { startTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'
import { slicesWith } from '../db/prompt-index.ts'
import { deleteAccountData } from './delete-account.ts'
import { uploadsIn } from '../../test/support/site.ts'

const foldersOf = (server: TestServer) => uploadsIn(server.directory)

const forget = (server: TestServer, who: TestUser, posts: PostsOfDeleted) =>
  deleteAccountData(server.services, who.id, { posts })

/** A user with a shared image, a shared photo, an image of their own and one that failed. */
async function livedIn(server: TestServer) {
  const who = await server.signUp()
  const shared = await who.generate('Shared with a prompt of its own')
  const words = { name: 'आशा', prompt: 'Shared' }
  const image = await who.trpc.posts.create.mutate({ ...words, imageId: shared.id })
  const photo = await who.trpc.posts.create.mutate({ ...words, photo: dataUrl(await plainJpeg('a photo')) })
  const own = await who.generate('Kept to oneself')
  await who.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  await server.services.db
    .insertInto('images')
    .values({
      id: `failed-${who.id}`,
      owner_id: who.id,
      source: 'generated',
      prompt: 'It failed',
      engine: 'rangoli',
      model: 'instant',
      state: 'failed',
      failure: 'engine_failed',
      request_key: 'a-key',
      created_at: 1,
    })
    .execute()
  return { who, image, photo, own }
}

/** Ids of a user's images that the index of prompts has for a term. */
async function indexed({ services: { db } }: TestServer, who: TestUser, term: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { isCandidate } of slicesWith(db, who.id, term)) {
    const rows = await db.selectFrom('images').select('id').where(isCandidate).execute()
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}

describe('with posts kept', () => {
  test('deletes what others do not see: private posts with their images, and hidden prompts', async () => {
    const server = await startTestServer()
    const who = await server.signUp()
    const share = async (prompt: string, options: object) => {
      const { id: imageId } = await who.generate(`An image of ${prompt}`)
      return who.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, ...options })
    }
    const kept = [
      await share('Unlisted', { visibility: 'unlisted' }),
      await share('Wordless', { hidePrompt: true }),
    ]
    await share('Private', { visibility: 'private' })
    await forget(server, who, 'keep')
    const posts = server.services.db.selectFrom('posts').select(['id', 'prompt']).orderBy('seq')
    expect(await posts.execute()).toEqual([
      { id: kept[0]?.id, prompt: 'Unlisted' },
      { id: kept[1]?.id, prompt: '' },
    ])
    const images = server.services.db.selectFrom('images').select('recipe').orderBy('seq')
    expect(await images.execute()).toEqual([{ recipe: expect.any(String) }, { recipe: null }])
    expect(await foldersOf(server)).toHaveLength(2)
  })

  test('removes the prompts of the remaining images from the index', async () => {
    const server = await startTestServer()
    const { who } = await livedIn(server)
    for (const term of ['prompt', 'pr']) expect(await indexed(server, who, term)).toHaveLength(1)
    await forget(server, who, 'keep')
    for (const term of ['prompt', 'pr']) expect(await indexed(server, who, term)).toEqual([])
  })

  test('keeps posts and deletes everything else', async () => {
    const server = await startTestServer()
    const { who, image, photo, own } = await livedIn(server)
    const before = await server.client().posts.list.query()
    await forget(server, who, 'keep')
    expect(await server.client().posts.list.query()).toEqual(before)
    for (const { photo: address } of [image, photo]) {
      expect((await server.request(address)).status).toBe(200)
    }
    expect((await server.request(own.photo)).status).toBe(404)
    expect(await foldersOf(server)).toHaveLength(2)
    const rows = await imageRows(server)
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      expect(row).toMatchObject({ prompt: '', request_key: null, counted_on: null, owner_id: who.id })
      expect(row).toMatchObject({ search_text: '' })
    }
    for (const table of ['daily_usage', 'api_keys'] as const) {
      expect(await server.services.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})

test('deletes everything of the user with their posts, and nothing of others', async () => {
  const server = await startTestServer()
  const { who } = await livedIn(server)
  const other = await livedIn(server)
  const usage = () =>
    server.services.db.selectFrom('daily_usage').selectAll().where('user_id', '=', other.who.id).execute()
  const [images, used] = [await other.who.trpc.images.list.query(), await usage()]
  await forget(server, who, 'remove')
  const { posts } = await server.client().posts.list.query()
  expect(posts.map(({ id }) => id)).toEqual([other.photo.id, other.image.id])
  expect(await other.who.trpc.images.list.query()).toEqual(images)
  expect(await usage()).toEqual(used)
  expect(await other.who.trpc.account.apiKeys.list.query()).toHaveLength(1)
  expect(await foldersOf(server)).toHaveLength(3)
})

test('deletes hidden and withdrawn posts with their images, and keeps their records without the author', async () => {
  const server = await startTestServer()
  const meera = await signUpAdministrator(server)
  const who = await server.signUp()
  const [hidden, withdrawn, deleted] = [
    await who.share('one'),
    await who.share('two'),
    await who.share('three'),
  ]
  await server.client().posts.report.mutate({ id: hidden.id, reason: 'hateful' })
  for (const { id } of [hidden, withdrawn]) await meera.trpc.moderation.hide.mutate({ id })
  await who.trpc.posts.delete.mutate({ id: withdrawn.id })
  await meera.trpc.posts.delete.mutate({ id: deleted.id })
  await forget(server, who, 'keep')

  expect(await foldersOf(server)).toEqual([])
  expect((await meera.trpc.moderation.listReported.query()).total).toBe(0)
  const log = await meera.trpc.moderation.auditLog.query()
  expect(log.map(({ action, postId, reasons }) => [action, postId, reasons])).toEqual([
    ['delete', deleted.id, []],
    ['hide', withdrawn.id, []],
    ['hide', hidden.id, ['hateful']],
  ])
  for (const table of ['images', 'posts', 'reports', 'moderation_log'] as const) {
    const rows = await server.services.db.selectFrom(table).selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(who.id)
  }
  const kept = await server.services.db.selectFrom('moderation_log').select('image_sha256').execute()
  expect(kept.every(({ image_sha256 }) => image_sha256 === null)).toBe(true)
})

test('is idempotent, concurrently and later', async () => {
  const server = await startTestServer()
  const { who } = await livedIn(server)
  await Promise.all([forget(server, who, 'keep'), forget(server, who, 'keep')])
  const [rows, folders] = [await imageRows(server), await foldersOf(server)]
  await forget(server, who, 'keep')
  expect(await imageRows(server)).toEqual(rows)
  expect(await foldersOf(server)).toEqual(folders)
  expect(folders).toHaveLength(2)
})

test('keeps records of a deleted administrator without the name', async () => {
  const server = await startTestServer()
  const { image } = await livedIn(server)
  const [meera, other] = [await signUpAdministrator(server), await signUpAdministrator(server, 'Kamala')]
  await meera.trpc.posts.delete.mutate({ id: image.id })
  await forget(server, meera, 'keep')
  await forget(server, other, 'keep')
  const log = await server.services.db.selectFrom('moderation_log').selectAll().execute()
  expect(log).toMatchObject([{ administrator_id: null, administrator_name: 'A former administrator' }])
})

test('deletes the verifications of the user only', async () => {
  const server = await startTestServer()
  const { db } = server.services
  const passkey = (id: string) => JSON.stringify({ expectedChallenge: 'c', userData: { id } })
  const values = ['user_1', 'userX1', 'user_12', passkey('user_1'), passkey('userX1'), passkey('user_12')]
  const now = new Date().toISOString()
  for (const [index, value] of values.entries()) {
    await sql`INSERT INTO "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
      VALUES (${`v${index}`}, 'i', ${value}, ${now}, ${now}, ${now})`.execute(db)
  }
  await deleteAccountData(server.services, 'user_1', { posts: 'keep' })
  const { rows } = await sql<{ value: string }>`SELECT "value" FROM "verification" ORDER BY "id"`.execute(db)
  expect(rows.map(({ value }) => value)).toEqual(['userX1', 'user_12', passkey('userX1'), passkey('user_12')])
})

test('a job whose row another process deletes ends without an image, a file or an error', async () => {
  const { engine, waitForJob } = createScriptedEngine()
  const server = await startTestServer({ engine })
  const asha = await server.signUp()
  const generation = follow(asha.trpc, { prompt: 'It vanishes' })
  const job = await waitForJob('It vanishes')
  const generations = { cancelAll: () => Promise.resolve() }
  await deleteAccountData({ ...server.services, generations }, asha.id, { posts: 'keep' })
  await job.finish()
  await expect(generation.ended).rejects.toMatchObject({ data: { reason: 'not_found' } })
  await eventually(() => foldersOf(server)).toEqual([])
  expect(await imageRows(server)).toEqual([])
  expect(server.lines.filter((line) => /"level":[56]0/.test(line))).toEqual([])
})
