import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createScriptedEngine, follow } from '../../../test/support/generations.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'
import { findOwnImage } from '../images.ts'
import type { WatchEvent } from './watch.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '1000' } })

const viewerOf = (id: string) => ({ id, firstName: 'Guest', imageUrl: null, role: 'member' as const })

/** Starts a generation without HTTP. */
async function start(userId: string, prompt: string) {
  const { generations, db } = server().services
  const viewer = viewerOf(userId)
  const [image] = await generations.generate(viewer, { prompt })
  const owned = await findOwnImage(db, viewer, image?.id ?? '')
  return { owned, watch: (lastEventId?: string) => generations.watch([owned], lastEventId) }
}

/** Reads a subscription to its end, and returns the last state. */
async function lastState(events: AsyncIterable<WatchEvent>): Promise<string | null> {
  let state: string | null = null
  for await (const { event } of events) if (event.type === 'state') state = event.image.state
  return state
}

test.each(['succeeded', 'failed', 'canceled'] as const)(
  'a subscription that starts around the end of a generation reports that it %s',
  async (end) => {
    const { generations } = server().services
    for (let round = 0; round < 3; round += 1) {
      const prompt = `${end} ${round}`
      const { owned, watch } = await start(`joins-${end}`, prompt)
      const job = await waitForJob(prompt)
      let hasEnded = false
      void lastState(watch()).then(() => (hasEnded = true))
      if (end === 'succeeded') await job.finish()
      else if (end === 'canceled') void generations.cancel(owned)
      else job.fail(new Error('out of paint'))
      const ends: Promise<unknown>[] = []
      // Starts a subscription in every turn of the event loop, until some turns after the end.
      for (let beyond = 0; beyond < 10; beyond += hasEnded ? 1 : 0) {
        ends.push(lastState(watch()))
        await setImmediate()
      }
      expect(new Set(await Promise.all(ends))).toEqual(new Set([end]))
    }
  },
)

test('a slow subscriber receives the final state', async () => {
  const { watch } = await start('slow', 'Read slowly')
  const [slow, slower] = [watch(), watch()]
  for (const reader of [slow, slower, slower]) await reader.next()
  await (await waitForJob('Read slowly')).finish()
  await lastState(watch())
  for (const reader of [slow, slower]) {
    expect(await lastState(reader)).toBe('succeeded')
    expect(await reader.next()).toMatchObject({ done: true })
  }
})

test('a subscription over HTTP around the end of a generation receives the final state', async () => {
  const asha = await server().signUp()
  for (let round = 0; round < 8; round += 1) {
    const prompt = `Over the network ${round}`
    const own = follow(asha.trpc, { prompt })
    const id = await own.id
    await (await waitForJob(prompt)).finish()
    for (let turn = 0; turn < round * 5; turn += 1) await setImmediate()
    const joined = follow(asha.trpc, { id })
    await Promise.all([own.ended, joined.ended])
    expect(joined.types().at(-1)).toBe('succeeded')
  }
})

test('a resumed subscription repeats no state and does not miss the final one', async () => {
  const { watch } = await start('resumes', 'Resumed')
  const job = await waitForJob('Resumed')
  const first = watch()
  let lastEventId = ''
  for (let next = await first.next(); !next.done; next = await first.next()) {
    lastEventId = next.value.id
    if (next.value.event.type === 'state' && next.value.event.image.state === 'running') break
  }
  await first.return(undefined)
  const resumed = watch(lastEventId)
  const states: string[] = []
  const reading = (async () => {
    for await (const { id, event } of resumed) {
      lastEventId = id
      if (event.type === 'state') states.push(event.image.state)
    }
  })()
  await job.finish()
  await reading
  expect(states).toEqual(['succeeded'])
  expect(await watch(lastEventId).next()).toEqual({ done: true, value: undefined })
  expect(await lastState(watch('not an event id'))).toBe('succeeded')
})

test('a subscription reports the final state of another process’s generation', async () => {
  const { generations, db } = server().services
  const viewer = viewerOf('elsewhere')
  await db
    .insertInto('images')
    .values({
      id: 'elsewhere',
      owner_id: viewer.id,
      source: 'generated',
      prompt: 'Elsewhere',
      engine: 'rangoli',
      model: 'scripted',
      state: 'queued',
      created_at: 0,
    })
    .execute()
  const events = generations.watch([await findOwnImage(db, viewer, 'elsewhere')])
  expect((await events.next()).value).toMatchObject({ event: { image: { state: 'queued' } } })
  const next = lastState(events)
  await db
    .updateTable('images')
    .set({ state: 'failed', failure: 'engine_failed' })
    .where('id', '=', 'elsewhere')
    .execute()
  expect(await next).toBe('failed')
})
