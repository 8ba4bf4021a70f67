import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { ImagesTable } from '../../db/schema.ts'
import { openTestDatabase } from '../../../test/support/databases.ts'
import { createScriptedEngine, follow } from '../../../test/support/generations.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { usualSeconds } from './engine-queues.ts'

const engine = { id: 'openai', model: 'gpt-image-2' }

async function openEmpty() {
  const db = await openTestDatabase()
  /** Adds an image that took `seconds` after its start. */
  async function add(seconds: number, difference: Partial<Insertable<ImagesTable>> = {}): Promise<void> {
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
    } as const
    const image = { folder: randomUUID(), sha256: '00', width: 1, height: 1, placeholder: '' }
    await db
      .insertInto('images')
      .values({ ...row, ...image, ...difference })
      .execute()
  }
  return { db, add }
}

test('usualSeconds is null without images, and the median with some', async () => {
  const { db, add } = await openEmpty()
  expect(await usualSeconds(db, engine)).toBe(null)
  await add(30)
  expect(await usualSeconds(db, engine)).toBe(30)
  await add(900)
  await add(12.5)
  expect(await usualSeconds(db, engine)).toBe(30)
})

test('usualSeconds includes only succeeded images of the same engine and model', async () => {
  const { db, add } = await openEmpty()
  await add(40, { model: 'gpt-image-1-mini' })
  await add(50, { engine: 'rangoli' })
  const withoutFile = { folder: null, sha256: null, width: null, height: null, placeholder: null }
  await add(60, { ...withoutFile, state: 'failed', failure: 'engine_timeout' })
  await add(70, { ...withoutFile, state: 'canceled' })
  await add(80, { ...withoutFile, state: 'running', finished_at: null })
  await add(90, { started_at: null })
  expect(await usualSeconds(db, engine)).toBe(null)
  await add(10)
  expect(await usualSeconds(db, engine)).toBe(10)
})

test('usualSeconds ignores old durations', async () => {
  const { db, add } = await openEmpty()
  for (let image = 0; image < 30; image += 1) await add(100)
  for (let image = 0; image < 11; image += 1) await add(5)
  expect(await usualSeconds(db, engine)).toBe(5)
})

test('usualSeconds of any model uses the latest images of the engine', async () => {
  const { db, add } = await openEmpty()
  for (let image = 0; image < 11; image += 1) await add(100, { turn: image })
  for (let image = 0; image < 11; image += 1) await add(5, { turn: 11 + image, model: 'another' })
  await add(900, { engine: 'rangoli', turn: 22 })
  expect(await usualSeconds(db, { id: engine.id, model: null })).toBe(5)
  expect(await usualSeconds(db, engine)).toBe(100)
})

test('reports the usual duration without the time in the queue', async () => {
  let now = Date.UTC(2026, 4, 9)
  const scripted = createScriptedEngine()
  const server = await startTestServer({
    engine: scripted.engine,
    now: () => now,
    env: { IMAGE_CONCURRENCY: '1' },
  })
  const asha = await server.signUp()
  const startGeneration = (prompt: string) => follow(asha.trpc, { prompt })
  const first = startGeneration('first')
  expect(await first.seen('running')).toMatchObject({ usualSeconds: null })
  const job = await scripted.waitForJob('first')
  const second = startGeneration('second')
  await second.seen('queued')
  now += 8_000
  await job.finish()
  await first.ended
  const next = await scripted.waitForJob('second')
  now += 20_000
  const third = startGeneration('third')
  expect(await third.seen('queued')).toMatchObject({ usualSeconds: 8 })
  await next.finish()
  await second.ended
  const image = (await second.seen('succeeded')).image.id
  const watched = follow(asha.trpc, { id: image })
  expect(await watched.seen('succeeded')).toMatchObject({ usualSeconds: 20 })
})
