import { describe, expect, test } from 'vitest'
import { allCapabilities, createHeldEngine, createInstantEngine } from '../../../test/support/engine.ts'
import { eventually, imageRows } from '../../../test/support/generations.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { transports } from '../../../test/support/transports.ts'

const capable = { capabilities: allCapabilities }

async function start(engine = createInstantEngine(capable), env: Record<string, string> = {}) {
  const server = await startTestServer({ engine, env })
  const asha = await server.signUp()
  const generate = (input: object) => asha.trpc.images.generate.mutate({ prompt: 'A lotus', ...input })
  const used = async () => (await asha.trpc.images.quota.query()).used
  return { server, asha, generate, used }
}

const seedsOf = (images: readonly { recipe: { seed: number | null } | null }[]) =>
  images.map(({ recipe }) => recipe?.seed)

describe('a batch', () => {
  test('is one image per count, each counted, with consecutive seeds', async () => {
    const { generate, used } = await start()
    const { images } = await generate({ count: 3, seed: 4_294_967_294 })
    expect(seedsOf(images)).toEqual([4_294_967_294, 4_294_967_295, 0])
    expect(await used()).toBe(3)
  })

  test('has seeds before it is sent, chosen at random if none is given', async () => {
    const { engine } = createHeldEngine(capable)
    const { generate } = await start(engine)
    const [first, second] = [await generate({ count: 2 }), await generate({ count: 2 })]
    for (const { images } of [first, second]) {
      const [seed = 0, next] = seedsOf(images)
      expect(seed).toEqual(expect.any(Number))
      expect(next).toBe(((seed ?? 0) + 1) % 4_294_967_296)
    }
    expect(seedsOf(first.images)).not.toEqual(seedsOf(second.images))
  })

  test('is rejected as a whole if fewer images are left', async () => {
    const { server, generate, used } = await start(undefined, { DAILY_IMAGE_LIMIT: '3' })
    await generate({ count: 1 })
    await expect(generate({ count: 3 })).rejects.toMatchObject({
      message: 'You can generate 2 more images today, not 3.',
      data: { reason: 'daily_limit', httpStatus: 429 },
    })
    expect(await used()).toBe(1)
    await generate({ count: 2 })
    await expect(generate({ count: 2 })).rejects.toMatchObject({
      message: 'You have reached your daily image limit.',
    })
    expect(await imageRows(server)).toHaveLength(3)
  })

  test('is rejected as a whole at the limit of the site', async () => {
    const { generate, used } = await start(undefined, { DAILY_IMAGE_TOTAL: '3' })
    await generate({ count: 2 })
    await expect(generate({ count: 2 })).rejects.toMatchObject({ data: { reason: 'site_limit' } })
    expect(await used()).toBe(2)
    await generate({})
    expect(await used()).toBe(3)
  })

  test.each([0, 5, 1.5, '2'])('of %j images is rejected', async (count) => {
    const { generate, used } = await start()
    await expect(generate({ count })).rejects.toMatchObject({
      message: 'The count must be a whole number from 1 to 4.',
    })
    expect(await used()).toBe(0)
  })

  test('may be limited by the engine', async () => {
    const capabilities = { ...allCapabilities, count: 1 }
    const { generate } = await start(createInstantEngine({ label: 'One', capabilities }))
    await expect(generate({ count: 2 })).rejects.toMatchObject({
      message: 'One generates at most 1 image per request.',
    })
  })

  test('is accepted exactly as often as the quota allows, for simultaneous requests', async () => {
    const { server, asha, generate, used } = await start(undefined, { DAILY_IMAGE_LIMIT: '10' })
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => generate({ count: 3 })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await used()).toBe(9)
    const rows = await imageRows(server)
    expect(rows).toHaveLength(9)
    await eventually(async () => {
      const { images } = await asha.trpc.images.list.query()
      return images.filter(({ state }) => state === 'succeeded').length
    }).toBe(9)
    await generate({})
    expect(await used()).toBe(10)
  })

  test('refunds only the images that fail', async () => {
    const { engine, held } = createHeldEngine(capable)
    const { asha, generate, used } = await start(engine)
    await generate({ count: 3 })
    // Jobs start in any order.
    await eventually(() => held.length).toBe(3)
    const list = async () => (await asha.trpc.images.list.query()).images
    const states = async () => (await list()).map(({ state }) => state).toSorted()
    held[1]?.fail(new Error('out of paint'))
    await eventually(used).toBe(2)
    held[0]?.release()
    await eventually(states).toEqual(['failed', 'running', 'succeeded'])
    const running = (await list()).find(({ state }) => state === 'running')
    await asha.trpc.images.cancel.mutate({ id: running?.id ?? '' })
    expect(await used()).toBe(2)
    expect(await states()).toEqual(['canceled', 'failed', 'succeeded'])
  })

  test('is one image through REST', async () => {
    const { server, asha, used } = await start()
    const rest = transports.find(({ name }) => name === 'REST')
    expect(await rest?.generate(server, { prompt: 'A lotus', count: 4 }, asha)).toMatchObject({ error: null })
    expect(await used()).toBe(1)
  })
})

describe('a request key of a batch', () => {
  test('joins all its images, also for simultaneous requests', async () => {
    const { engine, held } = createHeldEngine(capable)
    const { server, generate, used } = await start(engine)
    const press = () => generate({ count: 3, requestKey: 'press-1' })
    const results = [...(await Promise.all([press(), press(), press()])), await press()]
    const ids = results.map(({ images }) => images.map(({ id }) => id))
    expect(ids[0]).toHaveLength(3)
    expect(new Set(ids.map((own) => own.join())).size).toBe(1)
    expect(await used()).toBe(3)
    await eventually(() => held.length).toBe(3)
    held[0]?.fail(new Error('out of paint'))
    await eventually(used).toBe(2)
    expect((await press()).images.map(({ id }) => id)).toEqual(ids[0])
    expect(await imageRows(server)).toHaveLength(3)
  })

  test('starts a new batch after all images failed', async () => {
    const { engine, held } = createHeldEngine(capable)
    const { server, generate, used } = await start(engine)
    const press = () => generate({ count: 2, requestKey: 'press-1' })
    await press()
    await eventually(() => held.length).toBe(2)
    for (const { fail } of held) fail(new Error('out of paint'))
    await eventually(used).toBe(0)
    await press()
    expect(await used()).toBe(2)
    expect(await imageRows(server)).toHaveLength(4)
  })
})

describe('an engine that always draws the same image', () => {
  const deterministic = { ...capable, isDeterministic: true }

  test.each(transports)('returns the one that exists through $name, uncounted', async (transport) => {
    const { server, asha, used } = await start(createInstantEngine(deterministic))
    const generate = (options = {}) => transport.generate(server, { prompt: 'A lotus', ...options }, asha)
    for (let time = 0; time < 3; time += 1) expect(await generate()).toMatchObject({ error: null })
    expect(await used()).toBe(1)
    await generate({ prompt: 'A lotus flower' })
    await generate({ size: '512x512' })
    await generate({ seed: 7 })
    await generate({ seed: 7 })
    expect(await used()).toBe(5)
    expect(await transport.generate(server, { prompt: 'A lotus' }, await server.signUp())).toMatchObject({
      error: null,
    })
    expect(await imageRows(server)).toHaveLength(6)
  })

  test('joins an unfinished one, and draws again what failed or was deleted', async () => {
    const { engine, held } = createHeldEngine(deterministic)
    const { asha, generate, used } = await start(engine)
    const idOf = async () => (await generate({})).images[0]?.id ?? ''
    const first = await idOf()
    expect(await idOf()).toBe(first)
    await eventually(() => held.length).toBe(1)
    held[0]?.fail(new Error('out of paint'))
    await eventually(used).toBe(0)
    const second = await idOf()
    expect(second).not.toBe(first)
    await eventually(() => held.length).toBe(2)
    held[1]?.release()
    await eventually(async () => (await asha.trpc.images.get.query({ id: second })).state).toBe('succeeded')
    await asha.trpc.images.delete.mutate({ id: second })
    expect(await idOf()).not.toBe(second)
    expect(await used()).toBe(2)
  })

  test('gives the further images of a batch the seeds 1, 2 and 3', async () => {
    const { generate, used } = await start(createInstantEngine(deterministic))
    await generate({})
    const { images } = await generate({ count: 4 })
    expect(seedsOf(images)).toEqual([null, 1, 2, 3])
    expect(await used()).toBe(4)
    expect((await generate({ count: 4, requestKey: 'again' })).images).toHaveLength(4)
    expect(await used()).toBe(4)
  })
})
