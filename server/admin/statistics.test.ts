import { describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { createScriptedEngine, eventually, follow } from '../../test/support/generations.ts'
import { fillGallery } from '../../test/support/posts.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { AppError } from '../errors/app-error.ts'

const msPerHour = 60 * 60 * 1_000
const noon = Date.UTC(2026, 4, 9, 12)

async function startSite(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options)
  const meera = await signUpAdministrator(server)
  return {
    server,
    meera,
    overview: () => meera.trpc.admin.overview.query(),
    statistics: () => meera.trpc.admin.statistics.query(),
  }
}

async function fail(server: TestServer, engine: ReturnType<typeof createScriptedEngine>, error: Error) {
  const prompt = `A failure ${engine.jobs.length}`
  const asha = await server.signUp()
  const { ended } = follow(asha.trpc, { prompt })
  const job = await engine.waitForJob(prompt)
  job.fail(error)
  await expect(ended).rejects.toThrow()
  return asha
}

describe('the overview', () => {
  test('of a new site has no images, posts or failures', async () => {
    const { overview } = await startSite()
    expect(await overview()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      users: 1,
      activeToday: expect.any(Number),
      activeThisWeek: expect.any(Number),
      posts: 0,
      imagesToday: 0,
      storage: { usedBytes: null, freeBytes: expect.any(Number) },
      queue: { running: 0, waiting: 0 },
      engines: [
        {
          id: 'rangoli',
          label: expect.any(String),
          isAvailable: true,
          succeeded: 0,
          failed: 0,
          failure: null,
        },
      ],
      failures: [],
      reportsWaiting: 0,
      spending: null,
      mailsWaiting: null,
    })
    await eventually(async () => (await overview()).storage.usedBytes).toBeGreaterThan(0)
  })

  test('counts images, posts, users and reports, and what waits', async () => {
    const scripted = createScriptedEngine()
    const { server, overview } = await startSite({
      engine: scripted.engine,
      env: { IMAGE_CONCURRENCY: '1' },
    })
    const asha = await server.signUp('Asha Rao')
    const first = follow(asha.trpc, { prompt: 'A lotus' })
    await (await scripted.waitForJob('A lotus')).finish()
    const { id: imageId } = await first.ended
    const { id } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId })
    await server.client().posts.report.mutate({ id, reason: 'spam' })
    await asha.trpc.images.generate.mutate({ prompt: 'A kite' })
    await scripted.waitForJob('A kite')
    await asha.trpc.images.generate.mutate({ prompt: 'A third' })
    await asha.trpc.images.generate.mutate({ prompt: 'A fourth' })
    await eventually(async () => (await overview()).activeToday).toBe(2)
    expect(await overview()).toMatchObject({
      users: 2,
      activeToday: 2,
      activeThisWeek: 2,
      posts: 1,
      imagesToday: 1,
      queue: { running: 1, waiting: 2 },
      engines: [{ succeeded: 1, failed: 0, failure: null }],
      reportsWaiting: 1,
    })
  })

  test('lists failures by reason and the latest one of each engine until an image succeeds', async () => {
    const scripted = createScriptedEngine()
    const { server, overview } = await startSite({ engine: scripted.engine })
    await fail(server, scripted, new AppError('engine_timeout'))
    await fail(server, scripted, new AppError('engine_out_of_credit'))
    const asha = await fail(server, scripted, new AppError('engine_out_of_credit'))
    expect(await overview()).toMatchObject({
      imagesToday: 0,
      failures: [
        { code: 'engine_out_of_credit', images: 2 },
        { code: 'engine_timeout', images: 1 },
      ],
      engines: [{ succeeded: 0, failed: 3, failure: { code: 'engine_out_of_credit' } }],
    })
    const next = follow(asha.trpc, { prompt: 'A lotus' })
    await (await scripted.waitForJob('A lotus')).finish()
    await next.ended
    expect(await overview()).toMatchObject({
      engines: [{ succeeded: 1, failed: 3, failure: null }],
    })
  })

  test('counts failures of the last 24 hours, and images of the current day in UTC', async () => {
    let now = noon
    const scripted = createScriptedEngine()
    const { server, overview } = await startSite({ engine: scripted.engine, now: () => now })
    const asha = await fail(server, scripted, new AppError('engine_timeout'))
    const next = follow(asha.trpc, { prompt: 'A lotus' })
    await (await scripted.waitForJob('A lotus')).finish()
    const { id } = await next.ended
    await asha.trpc.images.delete.mutate({ id })
    now += 11 * msPerHour
    expect(await overview()).toMatchObject({ imagesToday: 1, failures: [{ images: 1 }] })
    now += 2 * msPerHour
    expect(await overview()).toMatchObject({ imagesToday: 0, failures: [{ images: 1 }] })
    now += 12 * msPerHour
    expect(await overview()).toMatchObject({
      failures: [],
      engines: [{ succeeded: 0, failed: 0 }],
    })
  })
})

describe('the statistics', () => {
  const onDay = (days: readonly { day: string }[], day: string) => days.find((figures) => figures.day === day)

  test('count images, failures and posts on their days, also of images that were deleted', async () => {
    let now = noon
    const scripted = createScriptedEngine()
    const { server, statistics } = await startSite({ engine: scripted.engine, now: () => now })
    const asha = await fail(server, scripted, new AppError('engine_timeout'))
    now += 24 * msPerHour
    const next = follow(asha.trpc, { prompt: 'A lotus' })
    await (await scripted.waitForJob('A lotus')).finish()
    await asha.trpc.images.delete.mutate({ id: (await next.ended).id })
    await fillGallery(server, [
      { name: 'Asha', prompt: 'Earlier', createdAt: noon - 24 * msPerHour },
      { name: 'Asha', prompt: 'Later' },
      { name: 'Asha', prompt: 'Later, too' },
    ])
    const days = await statistics()
    expect(days.map(({ day }) => day)).toEqual(
      Array.from({ length: 30 }, (_, index) =>
        new Date(now - (29 - index) * 24 * msPerHour).toISOString().slice(0, 10),
      ),
    )
    expect(days[0]).toMatchObject({ images: 0, posts: 0, newUsers: 0, failures: 0 })
    expect(onDay(days, '2026-05-08')).toMatchObject({ images: 0, posts: 1, failures: 0 })
    expect(onDay(days, '2026-05-09')).toMatchObject({ images: 0, posts: 0, failures: 1 })
    expect(onDay(days, '2026-05-10')).toMatchObject({ images: 1, posts: 2, failures: 0 })
  })

  test('count a generation once that ended by a cancellation or was kept after its lease had expired', async () => {
    const scripted = createScriptedEngine()
    const { server, statistics } = await startSite({ engine: scripted.engine })
    const asha = await server.signUp()
    const canceled = follow(asha.trpc, { prompt: 'A lotus' })
    await scripted.waitForJob('A lotus')
    const [row] = await asha.trpc.images.list.query().then(({ images }) => images)
    await asha.trpc.images.cancel.mutate({ id: row?.id ?? '' })
    await expect(canceled.ended).rejects.toThrow()
    expect((await statistics()).at(-1)).toMatchObject({ images: 0, failures: 0 })

    await asha.trpc.images.generate.mutate({ prompt: 'A kite' })
    await scripted.waitForJob('A kite')
    const { db } = server.services
    await db
      .updateTable('images')
      .set({ state: 'failed', failure: 'interrupted', finished_at: Date.now(), counted_on: null })
      .where('prompt', '=', 'A kite')
      .execute()
    expect((await statistics()).at(-1)).toMatchObject({ images: 0, failures: 1 })
    await (await scripted.waitForJob('A kite')).finish()
    await eventually(async () => (await statistics()).at(-1)).toMatchObject({ images: 1, failures: 0 })
  })
})

test('counts users of Clerk who have been on the site', async () => {
  const server = await startTestServer({ env: { ...clerkEnv(), CLERK_ADMINISTRATORS: 'user_meera' } })
  const meera = signInAtClerk(server, 'user_meera')
  await signInAtClerk(server).trpc.images.list.query()
  await eventually(() => meera.trpc.admin.overview.query()).toMatchObject({ users: 2, activeToday: 2 })
  expect((await meera.trpc.admin.statistics.query()).at(-1)).toMatchObject({ newUsers: 2 })
})

test('counts new users, and those who were on the site today and this week', async () => {
  const { server, overview, statistics } = await startSite()
  const asha = await server.signUp('Asha Rao')
  expect((await statistics()).map(({ newUsers }) => newUsers)).toEqual([...Array<number>(29).fill(0), 2])
  await asha.trpc.images.list.query()
  await eventually(async () => (await overview()).activeToday).toBe(2)
  await server.services.db
    .updateTable('known_users')
    .set({ last_seen_at: Date.now() - 6 * 24 * msPerHour })
    .where('user_id', '=', asha.id)
    .execute()
  expect(await overview()).toMatchObject({ users: 2, activeToday: 1, activeThisWeek: 2 })
})
