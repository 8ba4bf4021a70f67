import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/databases.ts'
import { allCapabilities, createHeldEngine } from '../../../test/support/engine.ts'
import { eventually, follow } from '../../../test/support/generations.ts'
import { startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { usualSeconds } from './engine-queues.ts'
import { countWaiting } from './states.ts'

async function queue(user: TestUser, name: string, count: number, engine?: string): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await user.trpc.images.generate.mutate({ prompt: `${name} ${index}`, engine })
  }
}

/** Starts a server with engines whose generations the test ends one after the other. */
async function start(
  facts: readonly Partial<ImageEngine>[] = [{}],
  { concurrency = '1', now = Date.now } = {},
) {
  const held = facts.map((one) => createHeldEngine(one))
  const server = await startTestServer({
    engines: held.map(({ engine }) => engine),
    env: { IMAGE_CONCURRENCY: concurrency, DAILY_IMAGE_LIMIT: '1000' },
    now,
  })
  const jobs = held[0]?.held ?? []
  /** Ends the next `count` generations of the first engine, and returns all prompts in the order of their start. */
  async function run(count: number, from = 0): Promise<string[]> {
    for (let done = from; done < from + count; done += 1) {
      await eventually(() => jobs.length).toBeGreaterThan(done)
      jobs[done]?.release()
    }
    return jobs.map(({ prompt }) => prompt)
  }
  const idle = () => eventually(() => server.services.generations.running).toBe(0)
  const lengths = () => held.map((one) => one.held.length)
  const users = [await server.signUp(), await server.signUp(), await server.signUp()] as const
  return { server, users, held: held.map((one) => one.held), jobs, run, idle, lengths }
}

describe('users of an engine', () => {
  test('take turns: one with a single image does not wait for the eight of another', async () => {
    const { users, jobs, run, idle } = await start()
    const [asha, ravi] = users
    await queue(asha, 'Asha', 8)
    await queue(ravi, 'Ravi', 1)
    await eventually(() => jobs.length).toBe(1)
    // A failure does not change the order.
    jobs[0]?.fail(new Error('out of paint'))
    const order = await run(8, 1)
    expect(order.indexOf('Ravi 1')).toBeLessThan(3)
    const others = Array.from({ length: 8 }, (_, index) => `Asha ${index + 1}`)
    expect(order.filter((prompt) => prompt !== 'Ravi 1')).toEqual(others)

    // Whatever they generated before, they start equal after a pause.
    await idle()
    await queue(ravi, 'Ravi again', 3)
    await queue(asha, 'Asha again', 1)
    const equal = (await run(4, 9)).slice(9)
    expect(equal).toEqual(['Ravi again 1', 'Asha again 1', 'Ravi again 2', 'Ravi again 3'])
  })

  test('take turns also in batches, each image of a turn after that of the others', async () => {
    const { users, run } = await start([{ capabilities: allCapabilities }])
    for (const [index, user] of users.entries())
      await user.trpc.images.generate.mutate({ prompt: `User ${index}`, count: 3 })
    const order = await run(9)
    // The first image was sent before the others came.
    for (const turn of [order.slice(0, 3), order.slice(3, 6), order.slice(6)])
      expect(turn.toSorted()).toEqual(['User 0', 'User 1', 'User 2'])
  })

  test('wait for one image of each other user at most, also if those come again and again', async () => {
    const { users, jobs } = await start()
    const [asha, ravi, meera] = users
    await queue(asha, 'Asha', 2)
    for (let round = 1; round <= 4; round += 1) {
      await queue(ravi, `Ravi ${round}`, 1)
      await queue(meera, `Meera ${round}`, 1)
      for (let turn = 0; turn < 2; turn += 1) {
        const running = jobs.length
        jobs.at(-1)?.release()
        await eventually(() => jobs.length).toBe(running + 1)
      }
    }
    expect(jobs.findIndex(({ prompt }) => prompt === 'Asha 2')).toBeLessThan(5)
  })

  test('see their position, the time until their turn, and the usual duration without it', async () => {
    let now = Date.UTC(2026, 4, 9)
    const { users, run, idle, jobs } = await start([{}], { now: () => now })
    const [asha, ravi] = users
    const first = follow(asha.trpc, { prompt: 'Measured' })
    expect(await first.seen('running')).toMatchObject({ usualSeconds: null })
    now += 30_000
    await run(1)
    await idle()
    await queue(asha, 'Asha', 4)
    await eventually(() => jobs.length).toBe(2)
    now += 10_000
    const waiting = follow(ravi.trpc, { prompt: 'Ravi' })
    expect(await waiting.seen('queued')).toMatchObject({ usualSeconds: 30 })
    expect(await waiting.seen('queue')).toMatchObject({ position: 0, waitSeconds: 20 })
    const last = (await asha.trpc.images.list.query()).images[0]?.id ?? ''
    const place = { position: 3, waitSeconds: 110 }
    expect(await follow(asha.trpc, { id: last }).seen('queue')).toMatchObject(place)
  })
})

describe('several engines', () => {
  test('run at the same time, each with its own concurrency and queue length', async () => {
    const facts = { capabilities: allCapabilities }
    const { server, users, held, lengths } = await start(
      [
        { id: 'first', ...facts },
        { id: 'second', ...facts },
      ],
      { concurrency: '2' },
    )
    const [asha, ravi] = users
    const batch = (count: number, engine: string) =>
      asha.trpc.images.generate.mutate({ prompt: `A batch for ${engine}`, count, engine })
    for (let images = 0; images < 100; images += 4) await batch(4, 'first')
    await batch(2, 'first')
    await expect(queue(ravi, 'First', 1, 'first')).rejects.toMatchObject({
      message: 'Many images are being generated right now. Try again in a moment.',
      data: { reason: 'queue_full', retryAfter: 30 },
    })
    expect(await ravi.trpc.images.quota.query()).toMatchObject({ used: 0 })
    await batch(3, 'second')
    await eventually(lengths).toEqual([2, 2])
    expect([server.services.generations.running, await countWaiting(server.services.db)]).toEqual([4, 101])
    held[1]?.[0]?.release()
    await eventually(lengths).toEqual([2, 3])
  })

  test('of one server take turns, one image at a time', async () => {
    const serial = { serialKey: 'http://127.0.0.1:7860' }
    const { users, held, lengths } = await start(
      [
        { id: 'first', ...serial },
        { id: 'second', ...serial },
      ],
      { concurrency: '2' },
    )
    const [asha, ravi] = users
    await queue(asha, 'Asha', 3, 'first')
    await queue(ravi, 'Ravi', 1, 'second')
    await eventually(lengths).toEqual([1, 0])
    held[0]?.[0]?.release()
    await eventually(lengths).toEqual([1, 1])
    held[1]?.[0]?.release()
    await eventually(lengths).toEqual([2, 1])
  })
})

test('usualSeconds is the median of the latest 21 succeeded images of an engine, and of a model if it is given', async () => {
  const db = await openTestDatabase()
  const engine = { id: 'openai', model: 'gpt-image-2' }
  const usual = () => usualSeconds(db, engine)
  let turn = 0
  async function add(seconds: number, difference: object = {}): Promise<void> {
    const row = {
      id: randomUUID(),
      owner_id: 'asha',
      source: 'generated',
      prompt: 'p',
      engine: engine.id,
      model: engine.model,
      state: 'succeeded',
      created_at: 0,
      started_at: 1_000_000,
      finished_at: 1_000_000 + seconds * 1_000,
      turn: (turn += 1),
    } as const
    const file = { folder: randomUUID(), sha256: '00', width: 1, height: 1, placeholder: '' }
    await db
      .insertInto('images')
      .values({ ...row, ...(!('state' in difference) && file), ...difference })
      .execute()
  }
  await add(40, { model: 'gpt-image-1-mini' })
  await add(50, { engine: 'rangoli' })
  await add(60, { state: 'failed', failure: 'engine_timeout' })
  await add(70, { state: 'canceled' })
  await add(80, { state: 'running', finished_at: null })
  await add(90, { started_at: null })
  // The clock was set back meanwhile.
  await add(-20)
  expect(await usual()).toBe(null)
  for (const seconds of [30, 900, 12.5]) await add(seconds)
  expect(await usual()).toBe(30)
  for (let image = 0; image < 30; image += 1) await add(100)
  for (let image = 0; image < 11; image += 1) await add(5, { model: 'another' })
  expect(await usual()).toBe(100)
  expect(await usualSeconds(db, { id: engine.id, model: null })).toBe(5)
  for (let image = 0; image < 11; image += 1) await add(6)
  expect(await usual()).toBe(6)
})
