import { describe, expect, test } from 'vitest'
import { transports } from '../../../test/support/transports.ts'
import {
  allCapabilities,
  createHeldEngine,
  createInstantEngine,
  plainJpeg,
} from '../../../test/support/engine.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

describe.each(transports)('a request key through $name', (transport) => {
  const server = shareTestServer()

  test('generates one image for repeated requests', async () => {
    const asha = await server().signUp()
    const send = () => transport.generate(server(), { prompt: 'A lotus' }, asha, 'press-1')
    const results = [...(await Promise.all([send(), send(), send()])), await send()]
    expect(results).toMatchObject([{ error: null }, { error: null }, { error: null }, { error: null }])
    expect((await asha.trpc.images.list.query()).images).toHaveLength(1)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('is rejected with another prompt', async () => {
    const asha = await server().signUp()
    await transport.generate(server(), { prompt: 'A lotus' }, asha, 'press-1')
    const expected = { status: 400, error: 'This request key was used with another prompt.' }
    expect(await transport.generate(server(), { prompt: 'A kite' }, asha, 'press-1')).toMatchObject(expected)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('is rejected with other settings or reference images', async () => {
    const own = await startTestServer({ engine: createInstantEngine({ capabilities: allCapabilities }) })
    const asha = await own.signUp()
    const [reference, other] = await Promise.all(
      ['one', 'two'].map(async (text) => {
        const bytes = new Uint8Array(await plainJpeg(text))
        return (await asha.trpc.images.upload.mutate(new Blob([bytes]))).id
      }),
    )
    const request = { prompt: 'A lotus', seed: 7, referenceImageIds: [reference] }
    const send = (changes: object) => transport.generate(own, { ...request, ...changes }, asha, 'press-1')
    expect(await send({})).toMatchObject({ error: null })
    const expected = { status: 400, error: 'This request key was used with other settings.' }
    for (const changes of [
      { seed: 8 },
      { size: '1216x832' },
      { negativePrompt: 'text' },
      { strength: 0.5 },
      { referenceImageIds: [other] },
      { referenceImageIds: [] },
    ]) {
      expect(await send(changes)).toMatchObject(expected)
    }
    expect(await send({ count: 1, negativePrompt: '' })).toMatchObject({ error: null })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('is independent of the keys of other users', async () => {
    for (const user of [await server().signUp(), await server().signUp()]) {
      expect(
        await transport.generate(server(), { prompt: `A lotus for ${user.id}` }, user, 'press-1'),
      ).toMatchObject({ error: null })
      expect((await user.trpc.images.list.query()).images).toHaveLength(1)
    }
  })

  test('is optional: the same prompt without a key generates two images', async () => {
    const asha = await server().signUp()
    for (let time = 0; time < 2; time += 1) await transport.generate(server(), { prompt: 'A lotus' }, asha)
    expect((await asha.trpc.images.list.query()).images).toHaveLength(2)
  })

  test.each(['', 'two words', 'x'.repeat(201), 'é'])('is rejected as %j', async (key) => {
    const asha = await server().signUp()
    expect(await transport.generate(server(), { prompt: 'A lotus' }, asha, key)).toMatchObject({
      status: 400,
      error: 'The request key must have 1 to 200 printable ASCII characters.',
    })
    expect((await asha.trpc.images.list.query()).images).toEqual([])
  })

  test('returns its image after the daily limit is reached', async () => {
    const own = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '1' } })
    const asha = await own.signUp()
    for (let time = 0; time < 2; time += 1) {
      expect(await transport.generate(own, { prompt: 'A lotus' }, asha, 'press-1')).toMatchObject({
        error: null,
      })
    }
  })

  test('joins an unfinished image', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine })
    const asha = await own.signUp()
    const both = [1, 2].map(() => transport.generate(own, { prompt: 'A lotus' }, asha, 'press-1'))
    await expect.poll(() => held.length).toBe(1)
    held[0]?.release()
    expect(await Promise.all(both)).toMatchObject([{ error: null }, { error: null }])
    expect(held).toHaveLength(1)
  })

  test('starts a new image, with any prompt, after the first one failed', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine })
    const asha = await own.signUp()
    const send = (prompt: string) => transport.generate(own, { prompt }, asha, 'press-1')
    for (const [attempt, prompt] of ['A lotus', 'A lotus', 'A kite'].entries()) {
      const result = send(prompt)
      await expect.poll(() => held.length).toBe(attempt + 1)
      if (attempt < 2) held[attempt]?.fail(new Error('out of paint'))
      else held[attempt]?.release()
      expect(await result).toMatchObject(attempt < 2 ? { status: 502 } : { error: null })
    }
    expect(await send('A kite')).toMatchObject({ error: null })
    expect(held).toHaveLength(3)
    expect((await asha.trpc.images.list.query()).images.map(({ state }) => state)).toEqual([
      'succeeded',
      'failed',
      'failed',
    ])
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('starts only one new image for simultaneous requests after a failure', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine })
    const asha = await own.signUp()
    const send = () => transport.generate(own, { prompt: 'A lotus' }, asha, 'press-1')
    const first = send()
    await expect.poll(() => held.length).toBe(1)
    held[0]?.fail(new Error('out of paint'))
    await first
    const again = [send(), send(), send()]
    await expect.poll(() => held.length).toBe(2)
    held[1]?.release()
    expect(await Promise.all(again)).toMatchObject([{ error: null }, { error: null }, { error: null }])
    expect(held).toHaveLength(2)
  })

  test('starts a new image if the first one was canceled before it was sent', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
    const asha = await own.signUp()
    const running = transport.generate(own, { prompt: 'A kite' }, asha)
    await expect.poll(() => held.length).toBe(1)
    const send = () => transport.generate(own, { prompt: 'A lotus' }, asha, 'press-1')
    const first = send()
    const waiting = async () =>
      (await asha.trpc.images.list.query()).images.find(({ prompt }) => prompt === 'A lotus')
    await expect.poll(waiting).toBeDefined()
    await asha.trpc.images.cancel.mutate({ id: (await waiting())?.id ?? '' })
    expect(await first).toMatchObject({ status: 409 })
    const again = send()
    held[0]?.release()
    await expect.poll(() => held.length).toBe(2)
    held[1]?.release()
    expect(await Promise.all([running, again])).toMatchObject([{ error: null }, { error: null }])
  })

  test('joins an image that was canceled after it was sent, which stays counted', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine })
    const asha = await own.signUp()
    const send = () => transport.generate(own, { prompt: 'A lotus' }, asha, 'press-1')
    const first = send()
    await expect.poll(() => held.length).toBe(1)
    const { images } = await asha.trpc.images.list.query()
    await asha.trpc.images.cancel.mutate({ id: images[0]?.id ?? '' })
    expect(await first).toMatchObject({ status: 409 })
    expect(await send()).toEqual(await first)
    expect(held).toHaveLength(1)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('starts a new image if the server stopped before the first one was finished', async () => {
    const { engine, held } = createHeldEngine()
    const folder = await tempFolder()
    const before = await startTestServer({ engine, folder })
    const asha = await before.signUp()
    const interrupted = transport.generate(before, { prompt: 'A lotus' }, asha, 'press-1')
    await expect.poll(() => held.length).toBe(1)
    await expect.poll(() => before.services.generations.watchers).toBeGreaterThan(0)
    await before.stop()
    expect(await interrupted).toMatchObject({ status: 503 })
    const after = await startTestServer({ folder })
    expect(await transport.generate(after, { prompt: 'A lotus' }, asha, 'press-1')).toMatchObject({
      error: null,
    })
  })
})
