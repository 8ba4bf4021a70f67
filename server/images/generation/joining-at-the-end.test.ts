import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createScriptedEngine } from '../../../test/support/generations.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'
import { findOwnImage } from '../images.ts'
import type { WatchEvent } from './watch.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '1000' } })

/** Starts a generation without HTTP. */
async function start(prompt: string) {
  const { generations, db } = server().services
  const viewer = { id: `of ${prompt}`, firstName: 'Guest', imageUrl: null, role: 'member' as const }
  const [image] = await generations.generate(viewer, { prompt })
  const owned = await findOwnImage(db, viewer, image?.id ?? '')
  return { owned, watch: (lastEventId?: string) => generations.watch([owned], lastEventId) }
}

/** Reads a subscription to its end, and returns the states. */
async function statesOf(events: AsyncIterable<WatchEvent>): Promise<string[]> {
  const states: string[] = []
  for await (const { event } of events) if (event.type === 'state') states.push(event.image.state)
  return states
}

const lastState = async (events: AsyncIterable<WatchEvent>) => (await statesOf(events)).at(-1)

test.each(['succeeded', 'failed', 'canceled'] as const)(
  'a subscription that starts around the end of a generation reports that it %s',
  async (end) => {
    const { generations } = server().services
    for (let round = 0; round < 3; round += 1) {
      const prompt = `${end} ${round}`
      const { owned, watch } = await start(prompt)
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
  const { watch } = await start('Read slowly')
  const [slow, slower] = [watch(), watch()]
  for (const reader of [slow, slower, slower]) await reader.next()
  await (await waitForJob('Read slowly')).finish()
  await lastState(watch())
  for (const reader of [slow, slower]) expect(await lastState(reader)).toBe('succeeded')
})

test('a resumed subscription repeats no state and does not miss the final one', async () => {
  const { watch } = await start('Resumed')
  const job = await waitForJob('Resumed')
  let lastEventId = ''
  for await (const { id, event } of watch()) {
    lastEventId = id
    if (event.type === 'state' && event.image.state === 'running') break
  }
  const resumed = statesOf(watch(lastEventId))
  await job.finish()
  expect(await resumed).toEqual(['succeeded'])
  expect(await statesOf(watch('s'))).toEqual([])
  expect(await lastState(watch('not an event id'))).toBe('succeeded')
})
