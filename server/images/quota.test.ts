import { beforeEach, describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { createFailingEngine, createInstantEngine, plainJpeg } from '../../test/support/engine.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { createScriptedEngine, eventually, follow } from '../../test/support/generations.ts'
import { noisyImage } from '../../test/support/images.ts'
import {
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../test/support/test-server.ts'
import { transports, trpcTransport } from '../../test/support/transports.ts'
import { AppError } from '../errors/app-error.ts'
import { readUsage, siteCounter, utcDay } from './quota.ts'

const limitReached = { status: 429, error: 'You have reached your daily image limit.' }
const siteLimitReached = {
  status: 429,
  error: 'This site has reached its daily image limit. Try again after midnight UTC.',
}

const generate = (server: TestServer, user: TestUser, prompt = 'A lotus') =>
  trpcTransport.generate(server, { prompt }, user)

const usedBy = async (user: TestUser) => (await user.trpc.images.quota.query()).used

const usageRows = ({ services: { db } }: TestServer) =>
  db.selectFrom('daily_usage').select(['day', 'kind', 'used']).orderBy('day').orderBy('kind').execute()

describe('the daily limit of a user', () => {
  test('applies to each user and UTC day', async () => {
    let now = Date.UTC(2026, 1, 28, 23, 59, 59)
    const server = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '2' }, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    for (let image = 0; image < 2; image += 1)
      expect(await generate(server, asha)).toMatchObject({ error: null })
    expect(await generate(server, asha)).toMatchObject(limitReached)
    expect(await generate(server, asha, ' ')).toMatchObject({ status: 400, error: 'Please provide a prompt' })
    expect(await generate(server, ravi)).toMatchObject({ error: null })
    const quota = { budget: null, used: 2, limit: 2, resetsAt: '2026-03-01T00:00:00.000Z' }
    expect(await asha.trpc.images.quota.query()).toEqual(quota)
    now += 1_000
    const reset = { budget: null, used: 0, limit: 2, resetsAt: '2026-03-02T00:00:00.000Z' }
    expect(await asha.trpc.images.quota.query()).toEqual(reset)
    expect(await generate(server, asha)).toMatchObject({ error: null })
  })

  test('admits one of 30 simultaneous requests for the last image, and another one after a failure', async () => {
    const { engine, jobs } = createScriptedEngine()
    const server = await startTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '1' } })
    const asha = await server.signUp()
    for (const end of ['fail', 'finish'] as const) {
      const results = Array.from({ length: 30 }, async (_, index) =>
        transports[index % 2]?.generate(server, { prompt: `${end} ${index}` }, asha),
      )
      let settledCount = 0
      for (const result of results) void result.then(() => (settledCount += 1))
      await eventually(() => settledCount).toBe(29)
      // The others may be rejected before the accepted one has reached the engine.
      await eventually(() => jobs.length).toBe(end === 'fail' ? 1 : 2)
      expect(await usedBy(asha)).toBe(1)
      if (end === 'fail') jobs.at(-1)?.fail(new Error('out of paint'))
      else await jobs.at(-1)?.finish()
      const expected = end === 'fail' ? 'The image could not be generated. Try again.' : null
      const ends = (await Promise.all(results)).map((result) => result?.error)
      expect(ends.filter((error) => error !== limitReached.error)).toEqual([expected])
      expect(await usedBy(asha)).toBe(end === 'fail' ? 0 : 1)
    }
  })

  test('is refunded to the day on which it was counted', async () => {
    let now = Date.UTC(2026, 11, 31, 23, 59, 59)
    const { engine, waitForJob } = createScriptedEngine()
    const server = await startTestServer({ engine, now: () => now })
    const asha = await server.signUp()
    const late = follow(asha.trpc, { prompt: 'Before midnight' })
    const blocked = follow(asha.trpc, { prompt: 'Blocked' })
    const jobs = [await waitForJob('Before midnight'), await waitForJob('Blocked')]
    now += 2_000
    await asha.trpc.images.generate.mutate({ prompt: 'After midnight' })
    jobs[0]?.fail(new Error('out of paint'))
    jobs[1]?.fail(new AppError('prompt_blocked'))
    await Promise.allSettled([late.ended, blocked.ended])
    expect(await usageRows(server)).toEqual([
      { day: '2026-12-31', kind: 'blocked', used: 1 },
      { day: '2026-12-31', kind: 'image', used: 0 },
      { day: '2027-01-01', kind: 'image', used: 1 },
    ])
  })

  test('is refunded for blocked prompts as often as it allows images, per user and day', async () => {
    let now = Date.UTC(2026, 4, 9, 12)
    const engine = createInstantEngine()
    const blocking = createFailingEngine(new AppError('prompt_blocked', 'Not this.'))
    const server = await startTestServer({
      engine: {
        ...engine,
        generate: (request, signal) =>
          (request.prompt === 'blocked' ? blocking : engine).generate(request, signal),
      },
      now: () => now,
      env: { DAILY_IMAGE_LIMIT: '3' },
    })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    for (const used of [0, 0, 0, 1, 2]) {
      expect(await generate(server, asha, 'blocked')).toMatchObject({ status: 400, error: 'Not this.' })
      expect(await usedBy(asha)).toBe(used)
      expect(await readUsage(server.services.db, siteCounter(utcDay(now)))).toBe(used)
    }
    expect(await generate(server, asha)).toMatchObject({ error: null })
    expect(await generate(server, asha, 'blocked')).toMatchObject(limitReached)
    await generate(server, ravi, 'blocked')
    expect(await usedBy(ravi)).toBe(0)
    now += 24 * 60 * 60 * 1_000
    await generate(server, asha, 'blocked')
    expect(await usedBy(asha)).toBe(0)
  })
})

describe('the daily limit of the site', () => {
  test('applies to all users together, after their own, and resets at midnight UTC', async () => {
    let now = Date.UTC(2026, 1, 28, 23, 59, 59)
    const env = { DAILY_IMAGE_TOTAL: '3', DAILY_IMAGE_LIMIT: '2' }
    const server = await startTestServer({ env, now: () => now })
    const [asha, ravi, meera] = [await server.signUp(), await server.signUp(), await server.signUp()]
    for (const user of [asha, asha, meera]) await generate(server, user)
    expect(await generate(server, ravi)).toMatchObject({ ...siteLimitReached, retryAfter: 1 })
    expect(await generate(server, asha)).toMatchObject(limitReached)
    expect(await ravi.trpc.images.quota.query()).toMatchObject({ used: 0, siteRemaining: 0 })
    now += 1_000
    expect(await generate(server, ravi)).toMatchObject({ error: null })
    expect(await ravi.trpc.images.quota.query()).toMatchObject({ used: 1, siteRemaining: 2 })
  })

  test('admits exactly the remaining 4 of 16 simultaneous requests', async () => {
    const server = await startTestServer({ env: { DAILY_IMAGE_TOTAL: '4' } })
    const users = await Promise.all(Array.from({ length: 8 }, () => server.signUp()))
    const results = await Promise.all(
      [...users, ...users].map((user, index) => generate(server, user, `At once ${index}`)),
    )
    expect(results.filter(({ error }) => error === null)).toHaveLength(4)
    expect(results.filter(({ error }) => error === siteLimitReached.error)).toHaveLength(12)
  })

  test('includes the images of deleted accounts, and is refunded when the engine fails', async () => {
    const { engine, waitForJob } = createScriptedEngine()
    const server = await startTestServer({ engine, env: { DAILY_IMAGE_TOTAL: '1' } })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const failed = follow(asha.trpc, { prompt: 'A boat' })
    ;(await waitForJob('A boat')).fail(new Error('out of paint'))
    await Promise.allSettled([failed.ended])
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0, siteRemaining: 1 })
    const image = asha.generate('A lotus')
    await (await waitForJob('A lotus')).finish()
    await image
    const password = 'correct horse'
    expect((await server.postAccount('/delete-user', { password }, { cookie: asha.cookie })).status).toBe(200)
    expect(await generate(server, ravi, 'A kite')).toMatchObject(siteLimitReached)
  })

  test('includes images of the same day from before it was set', async () => {
    const folder = await tempFolder()
    const before = await startTestServer({ folder })
    const asha = await before.signUp()
    await asha.generate('A lotus')
    expect(await asha.trpc.images.quota.query()).not.toHaveProperty('siteRemaining')
    await before.stop()
    const after = await startTestServer({ folder, env: { DAILY_IMAGE_TOTAL: '1' } })
    expect(await generate(after, asha, 'A kite')).toMatchObject(siteLimitReached)
  })
})

describe('the storage limit of a user', () => {
  const server = shareTestServer({ env: { USER_STORAGE_LIMIT_MB: '1', DAILY_IMAGE_LIMIT: '5' } })
  let asha: TestUser
  beforeEach(async () => {
    asha = await server().signUp()
  })

  const message = 'Your images may take up 1 MB, and no more fit in. Delete some, and empty the trash.'
  const detail = { code: 'storage_limit', values: { megabytes: 1 } }
  const full = { message, data: { reason: 'storage_limit', httpStatus: 429, detail } }

  const storageOf = async (user: TestUser) => (await user.trpc.images.quota.query()).storage

  const upload = (bytes: Uint8Array) => asha.trpc.images.upload.mutate(new Blob([new Uint8Array(bytes)]))

  /** Makes the stored images of a user as large as this. */
  async function fill(bytes: number): Promise<string> {
    const { id } = await asha.generate('A large lotus')
    await server().services.db.updateTable('images').set({ bytes }).where('id', '=', id).execute()
    return id
  }

  test('counts generated and uploaded images of the user', async () => {
    expect(await storageOf(asha)).toEqual({ used: 0, limit: 1_000_000 })
    await asha.generate('A small lotus')
    const { used = 0 } = (await storageOf(asha)) ?? {}
    expect(used).toBeGreaterThan(1_000)
    await upload(await plainJpeg(`of ${asha.id}`))
    expect((await storageOf(asha))?.used).toBeGreaterThan(used)
    expect(await storageOf(await server().signUp())).toMatchObject({ used: 0 })
  })

  test('rejects generations and uploads, uncounted, until the trash is emptied', async () => {
    const id = await fill(1_000_000)
    const one = () => asha.trpc.images.generate.mutate({ prompt: 'One lotus too many' })
    await expect(one()).rejects.toMatchObject(full)
    await expect(upload(await plainJpeg('one photo too many'))).rejects.toMatchObject(full)
    // What exists can still be shared.
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A large lotus', imageId: id })
    await asha.trpc.images.delete.mutate({ id })
    await expect(one()).rejects.toMatchObject(full)
    expect(await usedBy(asha)).toBe(1)
    await asha.trpc.images.emptyTrash.mutate()
    expect(await storageOf(asha)).toEqual({ used: 0, limit: 1_000_000 })
    await one()
  })

  test('rejects an upload that is larger than what is left, and holds for simultaneous ones', async () => {
    await upload(await plainJpeg('a small photo'))
    const { used: photoBytes = 0 } = (await storageOf(asha)) ?? {}
    await fill(1_000_000 - Math.floor(3.5 * photoBytes))
    const before = await storageOf(asha)
    await expect(upload(await noisyImage(500, 500).jpeg().toBuffer())).rejects.toMatchObject(full)
    expect(await storageOf(asha)).toEqual(before)
    const photos = await Promise.all([1, 2, 3, 4].map((number) => plainJpeg(`photo ${number}`)))
    const results = await Promise.allSettled(photos.map(upload))
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']))
    expect((await storageOf(asha))?.used).toBeLessThanOrEqual(1_000_000)
  })

  test('is set by an administrator, with immediate effect', async () => {
    const unlimited = await startTestServer()
    const meera = await signUpAdministrator(unlimited)
    await meera.generate('A lotus without a limit')
    expect(await meera.trpc.images.quota.query()).not.toHaveProperty('storage')
    await unlimited.services.db.updateTable('images').set({ bytes: 2_000_000 }).execute()
    const set = (storageLimitMegabytes: number | null) =>
      meera.trpc.admin.options.update.mutate({ storageLimitMegabytes })
    await set(2)
    expect(await storageOf(meera)).toEqual({ used: 2_000_000, limit: 2_000_000 })
    await expect(meera.generate('Too many')).rejects.toMatchObject({ data: { reason: 'storage_limit' } })
    await set(null)
    expect(await storageOf(meera)).toBeUndefined()
    for (const invalid of [0, -1, 1.5, 1e9])
      await expect(set(invalid)).rejects.toMatchObject({ data: { httpStatus: 400 } })
  })
})
