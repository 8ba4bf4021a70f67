import { describe, expect, test } from 'vitest'
import { allCapabilities, createHeldEngine } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { follow } from '../../../test/support/trpc-client.ts'
import { startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'

const oneAtATime = { IMAGE_CONCURRENCY: '1', DAILY_IMAGE_LIMIT: '100' }

async function queue(user: TestUser, name: string, count: number, engine?: string): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await user.trpc.images.generate.mutate({ prompt: `${name} ${index}`, engine })
  }
}

/** Creates an engine whose generations end one after the other, and returns the prompts in their order. */
function createOrderedEngine(facts: Partial<ImageEngine> = {}) {
  const { engine, held } = createHeldEngine(facts)
  const order = () => held.map(({ prompt }) => prompt)
  async function run(count: number): Promise<string[]> {
    for (let done = 0; done < count; done += 1) {
      await eventually(() => held.length).toBeGreaterThan(done)
      held[done]?.release()
    }
    return order()
  }
  return { engine, held, order, run }
}

describe('users of an engine', () => {
  test('take turns: one with a single image does not wait for the eight of another', async () => {
    const { engine, run } = createOrderedEngine()
    const server = await startTestServer({ engine, env: oneAtATime })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    await queue(asha, 'Asha', 8)
    await queue(ravi, 'Ravi', 1)
    const order = await run(9)
    expect(order.indexOf('Ravi 1')).toBeLessThan(3)
    expect(order.filter((prompt) => prompt !== 'Ravi 1')).toEqual(
      Array.from({ length: 8 }, (_, index) => `Asha ${index + 1}`),
    )
  })

  test('take turns also in batches, each image of a turn after that of the others', async () => {
    const { engine, run } = createOrderedEngine({ capabilities: allCapabilities })
    const server = await startTestServer({ engine, env: oneAtATime })
    for (const name of ['Asha', 'Ravi', 'Meera']) {
      const user = await server.signUp()
      await user.trpc.images.generate.mutate({ prompt: name, count: 3 })
    }
    const order = await run(9)
    // The first image was sent before the others came.
    for (const turn of [order.slice(0, 3), order.slice(3, 6), order.slice(6)]) {
      expect(turn.toSorted()).toEqual(['Asha', 'Meera', 'Ravi'])
    }
  })

  test('wait for one image of each other user at most, also if those come again and again', async () => {
    const { engine, held } = createOrderedEngine()
    const server = await startTestServer({ engine, env: oneAtATime })
    const [asha, ravi, meera] = [await server.signUp(), await server.signUp(), await server.signUp()]
    await queue(asha, 'Asha', 2)
    for (let round = 1; round <= 4; round += 1) {
      await queue(ravi, `Ravi ${round}`, 1)
      await queue(meera, `Meera ${round}`, 1)
      for (let turn = 0; turn < 2; turn += 1) {
        const running = held.length
        held.at(-1)?.release()
        await eventually(() => held.length).toBe(running + 1)
      }
    }
    expect(held.findIndex(({ prompt }) => prompt === 'Asha 2')).toBeLessThan(5)
  })

  test('start equal after a pause, whatever they generated before', async () => {
    const { engine, held, order, run } = createOrderedEngine()
    const server = await startTestServer({ engine, env: oneAtATime })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    await queue(asha, 'Earlier', 4)
    await run(4)
    await eventually(async () => (await server.services.generations.load()).running).toBe(0)
    await queue(ravi, 'Ravi', 4)
    await queue(asha, 'Asha', 1)
    for (let done = 4; done < 9; done += 1) {
      await eventually(() => held.length).toBeGreaterThan(done)
      held[done]?.release()
    }
    expect(order().slice(4)).toEqual(['Ravi 1', 'Asha 1', 'Ravi 2', 'Ravi 3', 'Ravi 4'])
  })

  test('see their position and the time until their turn', async () => {
    let now = Date.UTC(2026, 4, 9)
    const { engine, held } = createOrderedEngine()
    const server = await startTestServer({ engine, env: oneAtATime, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    await queue(asha, 'Measured', 1)
    await eventually(() => held.length).toBe(1)
    now += 30_000
    held[0]?.release()
    await eventually(async () => (await server.services.generations.load()).running).toBe(0)
    await queue(asha, 'Asha', 4)
    now += 10_000
    const waiting = follow(ravi.trpc, { prompt: 'Ravi' })
    expect(await waiting.seen('queue')).toMatchObject({ position: 0, waitSeconds: 20 })
    const last = (await asha.trpc.images.list.query()).images[0]?.id ?? ''
    expect(await follow(asha.trpc, { id: last }).seen('queue')).toMatchObject({
      position: 3,
      waitSeconds: 110,
    })
  })
})

describe('several engines', () => {
  test('run at the same time, each with its own concurrency and queue length', async () => {
    const [first, second] = [createHeldEngine({ id: 'first' }), createHeldEngine({ id: 'second' })]
    const engines = [first.engine, second.engine]
    const env = { IMAGE_CONCURRENCY: '2', DAILY_IMAGE_LIMIT: '1000' }
    const server = await startTestServer({ engines, env })
    const asha = await server.signUp()
    await queue(asha, 'First', 102, 'first')
    await expect(queue(asha, 'First', 1, 'first')).rejects.toMatchObject({ data: { reason: 'queue_full' } })
    await queue(asha, 'Second', 3, 'second')
    await eventually(() => [first.held.length, second.held.length]).toEqual([2, 2])
    expect(await server.services.generations.load()).toEqual({ running: 4, waiting: 101 })
    second.held[0]?.release()
    await eventually(() => second.held.length).toBe(3)
    expect(first.held).toHaveLength(2)
  })

  test('of one server take turns, one image at a time', async () => {
    const serial = { serialKey: 'http://127.0.0.1:7860' }
    const [first, second] = [
      createHeldEngine({ id: 'first', ...serial }),
      createHeldEngine({ id: 'second', ...serial }),
    ]
    const server = await startTestServer({ engines: [first.engine, second.engine] })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    await queue(asha, 'Asha', 3, 'first')
    await queue(ravi, 'Ravi', 1, 'second')
    await eventually(() => first.held.length).toBe(1)
    expect(second.held).toEqual([])
    first.held[0]?.release()
    await eventually(() => second.held.length).toBe(1)
    expect(first.held).toHaveLength(1)
    second.held[0]?.release()
    await eventually(() => first.held.length).toBe(2)
  })

  test('go on while one of them hangs', async () => {
    const [hanging, working] = [createHeldEngine({ id: 'hanging' }), createHeldEngine({ id: 'working' })]
    const engines = [hanging.engine, working.engine]
    const server = await startTestServer({ engines, env: oneAtATime })
    const asha = await server.signUp()
    await queue(asha, 'Hanging', 5, 'hanging')
    for (let index = 0; index < 3; index += 1) {
      await queue(asha, 'Working', 1, 'working')
      await eventually(() => working.held.length).toBe(index + 1)
      working.held[index]?.release()
    }
    await eventually(async () =>
      (await asha.trpc.images.list.query()).images.filter(({ state }) => state === 'succeeded'),
    ).toHaveLength(3)
    expect(hanging.held).toHaveLength(1)
  })
})
