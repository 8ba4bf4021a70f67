import { describe, expect, test } from 'vitest'
import { transports } from '../../test/support/transports.ts'
import { createHeldEngine } from '../../test/support/engine.ts'
import { startTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'

const limitReached = 'You have reached your daily image limit.'

/** Starts generations without waiting for them. */
async function start(user: TestUser, count: number): Promise<void> {
  for (let started = 0; started < count; started += 1) {
    await user.trpc.images.generate.mutate({ prompt: `Unfinished ${started}` })
  }
}

describe.each(transports)('generating through $name', (transport) => {
  test('rejects a generation without a session', async () => {
    const server = await startTestServer()
    const expected = { status: 401, error: 'Please sign in first.' }
    expect(await transport.generate(server, { prompt: 'A lotus' })).toMatchObject(expected)
    expect(await transport.generate(server, { prompt: '' })).toMatchObject(expected)
  })

  test('reports an empty prompt first, then the daily limit', async () => {
    const { engine } = createHeldEngine()
    const server = await startTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '2', IMAGE_CONCURRENCY: '1' } })
    const asha = await server.signUp()
    await start(asha, 2)
    expect(await transport.generate(server, { prompt: 'A third' }, asha)).toMatchObject({
      status: 429,
      error: limitReached,
    })
    expect(await transport.generate(server, { prompt: ' ' }, asha)).toMatchObject({
      status: 400,
      error: 'Please provide a prompt',
    })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 2, limit: 2 })
  })

  test('queues images of a user up to the daily limit', async () => {
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '6', IMAGE_CONCURRENCY: '1' } })
    const asha = await server.signUp()
    await start(asha, 5)
    const last = transport.generate(server, { prompt: 'The last' }, asha)
    await expect.poll(() => asha.trpc.images.quota.query()).toMatchObject({ used: 6 })
    expect(await transport.generate(server, { prompt: 'Too many' }, asha)).toMatchObject({
      status: 429,
      error: limitReached,
    })
    for (let index = 0; index < 6; index += 1) await releaseNext(held, index)
    expect(await last).toMatchObject({ error: null })
    await allFinished(server)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 6 })
  })

  test('rejects generations while the queue is full, without consuming quota', async () => {
    const { engine } = createHeldEngine()
    const server = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
    await fillQueue(server, 101)
    const asha = await server.signUp()
    expect(await transport.generate(server, { prompt: 'One more' }, asha)).toEqual({
      status: 503,
      error: 'Many images are being generated right now. Try again in a moment.',
      retryAfter: 30,
    })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    expect((await asha.trpc.images.list.query()).images).toEqual([])
  })

  test('rejects every generation with a daily limit of 0', async () => {
    const server = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '0' } })
    const asha = await server.signUp()
    expect(await transport.generate(server, { prompt: 'A lotus' }, asha)).toMatchObject({
      status: 429,
      error: limitReached,
    })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0, limit: 0 })
  })

  test('counts the quota per user and UTC day', async () => {
    let now = Date.UTC(2026, 1, 28, 23, 59, 59)
    const server = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '2' }, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const generate = (user = asha) => transport.generate(server, { prompt: 'A lotus' }, user)
    expect(await generate()).toMatchObject({ error: null })
    expect(await generate()).toMatchObject({ error: null })
    expect(await generate()).toMatchObject({ status: 429, error: limitReached })
    expect(await generate(ravi)).toMatchObject({ error: null })
    expect(await asha.trpc.images.quota.query()).toEqual({
      used: 2,
      limit: 2,
      resetsAt: '2026-03-01T00:00:00.000Z',
    })
    now += 1_000
    expect(await asha.trpc.images.quota.query()).toEqual({
      used: 0,
      limit: 2,
      resetsAt: '2026-03-02T00:00:00.000Z',
    })
    expect(await generate()).toMatchObject({ error: null })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('accepts exactly one of 30 simultaneous requests for the last image of the day', async () => {
    const server = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '3' } })
    const asha = await server.signUp()
    await asha.generate('one')
    await asha.generate('two')
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        transport.generate(server, { prompt: `At once ${index}` }, asha),
      ),
    )
    expect(results.filter(({ error }) => error === null)).toHaveLength(1)
    expect(new Set(results.map(({ error }) => error))).toEqual(new Set([null, limitReached]))
    expect((await asha.trpc.images.list.query()).images).toHaveLength(3)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 3 })
  })
})

test('refunds an image that fails after midnight to the day on which it was counted', async () => {
  let now = Date.UTC(2026, 11, 31, 23, 59, 59)
  const { engine, held } = createHeldEngine()
  const server = await startTestServer({ engine, now: () => now })
  const asha = await server.signUp()
  await start(asha, 1)
  now += 2_000
  await start(asha, 1)
  held[0]?.fail(new Error('out of paint'))
  await expect.poll(async () => (await asha.trpc.images.list.query()).images.at(-1)?.state).toBe('failed')
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  const usage = server.services.db.selectFrom('daily_usage').select(['day', 'used']).orderBy('day')
  expect(await usage.execute()).toEqual([
    { day: '2026-12-31', used: 0 },
    { day: '2027-01-01', used: 1 },
  ])
})

async function allFinished(server: TestServer): Promise<void> {
  const unfinished = server.services.db
    .selectFrom('images')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
  await expect.poll(() => unfinished.execute()).toEqual([])
}

async function releaseNext(held: readonly { release(): void }[], index: number): Promise<void> {
  await expect.poll(() => held[index]).toBeDefined()
  held[index]?.release()
}

/** Fills the queue with jobs of users without accounts. */
async function fillQueue(server: TestServer, jobs: number): Promise<void> {
  for (let job = 0; job < jobs; job += 1) {
    const viewer = { id: `guest-${job}`, firstName: 'Guest', imageUrl: null, role: 'member' as const }
    await server.services.generations.generate(viewer, { prompt: `Job ${job}` })
  }
}
