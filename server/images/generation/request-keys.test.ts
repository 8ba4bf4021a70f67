import { describe, expect, test } from 'vitest'
import { allCapabilities, createInstantEngine, plainJpeg } from '../../../test/support/engine.ts'
import { createScriptedEngine, eventually, imageRows } from '../../../test/support/generations.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'
import { transports, trpcTransport } from '../../../test/support/transports.ts'

/** Starts a server with an engine of which the test ends the jobs. */
async function start(env: Record<string, string> = {}) {
  const scripted = createScriptedEngine({ capabilities: allCapabilities })
  const server = await startTestServer({ engine: scripted.engine, env })
  const asha = await server.signUp()
  const press = (options: object = {}) =>
    asha.trpc.images.generate.mutate({ prompt: 'A lotus', requestKey: 'press-1', ...options })
  const used = async () => (await asha.trpc.images.quota.query()).used
  const job = async (index: number) => {
    await eventually(() => scripted.jobs.length).toBeGreaterThan(index)
    return scripted.jobs[index]
  }
  return { ...scripted, server, asha, press, used, job }
}

const idsOf = ({ images }: { images: readonly { id: string }[] }) => images.map(({ id }) => id)
const failure = new Error('out of paint')

describe('a request key', () => {
  const shared = shareTestServer({ engine: createInstantEngine({ capabilities: allCapabilities }) })

  test('generates and counts one image for 20 requests at once, through both transports', async () => {
    const { server, asha, used, job, jobs } = await start({ DAILY_IMAGE_LIMIT: '1' })
    const send = (index: number) =>
      transports[index % 2]?.generate(server, { prompt: 'A lotus' }, asha, 'press-1')
    const results = Array.from({ length: 20 }, (_, index) => send(index))
    await (await job(0))?.finish()
    for (const result of [...results, send(0), send(1)]) expect(await result).toMatchObject({ error: null })
    expect([jobs.length, await used()]).toEqual([1, 1])
  })

  test('is rejected with another prompt, settings or reference images', async () => {
    const asha = await shared().signUp()
    const [reference, other] = await Promise.all(
      ['one', 'two'].map(async (text) => {
        const bytes = new Uint8Array(await plainJpeg(text))
        return (await asha.trpc.images.upload.mutate(new Blob([bytes]))).id
      }),
    )
    const request = { prompt: 'A lotus', seed: 7, referenceImageIds: [reference] }
    for (const transport of transports) {
      const send = (changes: object) =>
        transport.generate(shared(), { ...request, ...changes }, asha, `by-${transport.name}`)
      expect(await send({})).toMatchObject({ error: null })
      const prompt = { status: 400, error: 'This request key was used with another prompt.' }
      expect(await send({ prompt: 'A kite' })).toMatchObject(prompt)
      for (const changes of [
        { seed: 8 },
        { size: '1216x832' },
        { negativePrompt: 'text' },
        { strength: 0.5 },
        { referenceImageIds: [other] },
        { referenceImageIds: [] },
      ]) {
        const error = 'This request key was used with other settings.'
        expect(await send(changes)).toMatchObject({ status: 400, error })
      }
      expect(await send({ count: 1, negativePrompt: '' })).toMatchObject({ error: null })
    }
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 2 })
    await asha.trpc.images.delete.mutate({ id: reference ?? '' })
    const again = (key: string) => trpcTransport.generate(shared(), request, asha, key)
    expect(await again('by-tRPC')).toMatchObject({ error: null })
    expect(await again('a-new-key')).toMatchObject({ status: 404, error: 'Image not found.' })
  })

  test('is of one user, and optional', async () => {
    for (const user of [await shared().signUp(), await shared().signUp()]) {
      const input = { prompt: 'A lotus', requestKey: 'press-1' }
      expect((await user.trpc.images.generate.mutate(input)).images).toMatchObject([{ state: 'queued' }])
      for (let time = 0; time < 2; time += 1) await user.generate('A lotus')
      expect((await user.trpc.images.list.query()).images).toHaveLength(3)
    }
  })

  test('starts one new image, with any prompt, after the former failed', async () => {
    const { server, press, used, job, jobs } = await start()
    await press()
    ;(await job(0))?.fail(failure)
    await eventually(used).toBe(0)
    const again = await Promise.all([press(), press(), press()])
    expect(new Set(again.flatMap(idsOf)).size).toBe(1)
    ;(await job(1))?.fail(failure)
    await eventually(used).toBe(0)
    await press({ prompt: 'A kite' })
    await (await job(2))?.finish()
    await eventually(async () => (await imageRows(server)).map(({ state }) => state)).toEqual([
      'failed',
      'failed',
      'succeeded',
    ])
    await press({ prompt: 'A kite' })
    expect([jobs.length, await used()]).toEqual([3, 1])
  })

  test('starts a new image if the former was canceled before it was sent', async () => {
    const { asha, press, job } = await start({ IMAGE_CONCURRENCY: '1' })
    await press({ prompt: 'A kite', requestKey: 'press-0' })
    await job(0)
    const [id = ''] = idsOf(await press())
    await asha.trpc.images.cancel.mutate({ id })
    expect(idsOf(await press())).not.toEqual([id])
  })

  test('joins an image that was canceled after it was sent, which stays counted', async () => {
    const { asha, press, used, job } = await start()
    const [id = ''] = idsOf(await press())
    await job(0)
    const canceled = await asha.trpc.images.cancel.mutate({ id })
    expect((await press()).images).toEqual([canceled])
    expect(await used()).toBe(1)
  })

  test('joins all images of a batch until all of them have failed', async () => {
    const { server, press, used, job } = await start()
    const batch = () => press({ count: 3 })
    const results = [...(await Promise.all([batch(), batch(), batch()])), await batch()]
    const [ids = []] = results.map(idsOf)
    expect(ids).toHaveLength(3)
    for (const result of results) expect(idsOf(result)).toEqual(ids)
    for (const index of [0, 1, 2]) {
      expect(idsOf(await batch())).toEqual(ids)
      ;(await job(index))?.fail(failure)
      await eventually(used).toBe(2 - index)
    }
    expect(idsOf(await batch())).not.toEqual(ids)
    expect(await used()).toBe(3)
    expect(await imageRows(server)).toHaveLength(6)
  })
})
