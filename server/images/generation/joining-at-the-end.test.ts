import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { GenerationEvent } from '../../../shared/images.ts'
import { createScriptedEngine, follow } from '../../../test/support/generations.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'

const { engine, asked } = createScriptedEngine()
const server = shareTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '1000' } })

const viewerOf = (id: string) => ({ id, firstName: 'Guest', imageUrl: null, role: 'member' as const })

async function endOf(stream: Promise<AsyncIterable<GenerationEvent>>): Promise<unknown> {
  try {
    const { events, ended } = follow(stream)
    await ended
    return events.at(-1)?.type
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

test.each([
  { name: 'a success', end: 'ready' },
  { name: 'a failure', end: 'engine_failed' },
  { name: 'a cancellation', end: 'cancelled' },
])('whoever joins at any moment of $name is told the end', async ({ end }) => {
  const { generations } = server().services
  const viewer = viewerOf(`joins-${end}`)
  for (let round = 0; round < 3; round += 1) {
    const prompt = `${end} ${round}`
    const own = follow(generations.generate(viewer, { prompt }))
    const { imageId } = await own.seen('accepted')
    const job = await asked(prompt)
    let over = false
    void endOf(generations.watch(viewer, imageId)).then(() => (over = true))
    if (end === 'ready') await job.finish()
    else if (end === 'cancelled') void generations.cancel(viewer, imageId)
    else job.fail(new Error('out of paint'))
    const ends: Promise<unknown>[] = []
    // One in every turn of the event loop, and some beyond the end.
    for (let beyond = 0; beyond < 10; beyond += over ? 1 : 0) {
      ends.push(endOf(generations.watch(viewer, imageId)))
      await setImmediate()
    }
    expect(new Set(await Promise.all(ends))).toEqual(new Set([end]))
  }
})

test('whoever reads slowly is told the end as well', async () => {
  const { generations } = server().services
  const viewer = viewerOf('slow')
  const own = follow(generations.generate(viewer, { prompt: 'Read slowly' }))
  const { imageId } = await own.seen('accepted')
  const slow = (await generations.watch(viewer, imageId))[Symbol.asyncIterator]()
  const slower = (await generations.watch(viewer, imageId))[Symbol.asyncIterator]()
  for (const reader of [slow, slower, slower]) await reader.next()
  await (await asked('Read slowly')).finish()
  await own.ended
  for (const reader of [slow, slower]) {
    expect((await reader.next()).value).toMatchObject({ type: 'ready', image: { id: imageId } })
    expect(await reader.next()).toMatchObject({ done: true })
  }
})

test('whoever joins over the network while it ends is told the end', async () => {
  const asha = await server().signUp()
  for (let round = 0; round < 8; round += 1) {
    const prompt = `Over the network ${round}`
    const own = follow(asha.trpc.images.generate.mutate({ prompt }))
    const { imageId } = await own.seen('accepted')
    await (await asked(prompt)).finish()
    for (let turn = 0; turn < round * 5; turn += 1) await setImmediate()
    const joined = follow(asha.trpc.images.watch.query({ imageId }))
    await Promise.all([own.ended, joined.ended])
    expect(joined.events.at(-1)).toMatchObject({ type: 'ready', image: { id: imageId } })
  }
})
