import { describe, expect, test } from 'vitest'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { createHeldEngine, engineFacts, plainJpeg } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startUnwatched, startTestServer } from '../../../test/support/test-server.ts'

describe('finishes a generation after its client disconnects', () => {
  test('through tRPC', async () => {
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({ engine })
    const asha = await server.signUp()
    await startUnwatched(asha, 'A lotus')
    await expect.poll(() => held.length).toBe(1)
    held[0]?.release()
    await expect
      .poll(async () => (await asha.trpc.images.list.query()).images)
      .toMatchObject([{ state: 'succeeded', prompt: 'A lotus' }])
    const [image] = (await asha.trpc.images.list.query()).images
    expect((await server.request(image?.photo ?? '', { headers: server.headersOf(asha) })).status).toBe(200)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('through REST', async () => {
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({ engine })
    const asha = await server.signUp()
    const controller = new AbortController()
    const response = server.request('/api/v1/imgGenerate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server.headersOf(asha) },
      body: JSON.stringify({ prompt: 'A lotus' }),
      signal: controller.signal,
    })
    await expect.poll(() => held.length).toBe(1)
    controller.abort()
    await expect(response).rejects.toThrow('abort')
    held[0]?.release()
    await expect
      .poll(async () => (await asha.trpc.images.list.query()).images)
      .toMatchObject([{ state: 'succeeded' }])
  })
})

describe('the generation queue', () => {
  test('runs at most IMAGE_CONCURRENCY generations at once', async () => {
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({
      engine,
      env: { IMAGE_CONCURRENCY: '3', DAILY_IMAGE_LIMIT: '100' },
    })
    const users = await Promise.all(Array.from({ length: 6 }, () => server.signUp()))
    const images = Promise.all(users.flatMap((user) => [user.generate('one'), user.generate('two')]))
    for (let released = 0; released < 12; released += 1) {
      await eventually(() => held.length).toBe(Math.min(released + 3, 12))
      held[released]?.release()
    }
    expect(await images).toHaveLength(12)
  })

  test('runs generations in the order of their requests, also after a failure', async () => {
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
    const prompts = ['first', 'second', 'third', 'fourth']
    for (const prompt of prompts) await startUnwatched(await server.signUp(), prompt)
    for (const [index, prompt] of prompts.entries()) {
      await expect.poll(() => held.at(-1)?.prompt).toBe(prompt)
      if (index === 1) held[index]?.fail(new Error('out of paint'))
      else held[index]?.release()
    }
    const states = server.services.db.selectFrom('images').select(['prompt', 'state']).orderBy('seq')
    await expect
      .poll(() => states.execute())
      .toEqual([
        { prompt: 'first', state: 'succeeded' },
        { prompt: 'second', state: 'failed' },
        { prompt: 'third', state: 'succeeded' },
        { prompt: 'fourth', state: 'succeeded' },
      ])
  })

  test('times out an engine that ignores its abort signal, and starts the next job', async () => {
    const engine: ImageEngine = {
      ...engineFacts,
      model: 'unresponsive',
      async *generate({ prompt }) {
        if (prompt === 'unresponsive') await new Promise(() => {})
        yield { type: 'complete', bytes: await plainJpeg(prompt) }
      },
    }
    const server = await startTestServer({
      engine,
      env: { IMAGE_CONCURRENCY: '1', IMAGE_TIMEOUT_SECONDS: '1' },
    })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const late = asha.generate('unresponsive')
    const behind = ravi.generate('behind')
    await expect(late).rejects.toMatchObject({ data: { httpStatus: 504, reason: 'engine_timeout' } })
    expect(await behind).toMatchObject({ state: 'succeeded' })
  })
})
