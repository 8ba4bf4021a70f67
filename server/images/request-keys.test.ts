import { describe, expect, test } from 'vitest'
import { doors } from '../http/test-doors.ts'
import { createHeldEngine } from '../http/test-engine.ts'
import { shareTestServer, startTestServer } from '../http/test-kit.ts'

describe.each(doors)('a request key through $name', (door) => {
  const server = shareTestServer()

  test('makes one image however often it is sent', async () => {
    const asha = await server().signUp()
    const send = () => door.generate(server(), { prompt: 'A lotus' }, asha, 'press-1')
    const answers = [...(await Promise.all([send(), send(), send()])), await send()]
    expect(answers).toMatchObject([{ error: null }, { error: null }, { error: null }, { error: null }])
    expect((await asha.trpc.images.mine.query()).images).toHaveLength(1)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('belongs to one prompt', async () => {
    const asha = await server().signUp()
    await door.generate(server(), { prompt: 'A lotus' }, asha, 'press-1')
    const answer = { status: 400, error: 'This request key was used with another prompt.' }
    expect(await door.generate(server(), { prompt: 'A kite' }, asha, 'press-1')).toMatchObject(answer)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('belongs to one person', async () => {
    for (const person of [await server().signUp(), await server().signUp()]) {
      expect(
        await door.generate(server(), { prompt: `A lotus for ${person.id}` }, person, 'press-1'),
      ).toMatchObject({ error: null })
      expect((await person.trpc.images.mine.query()).images).toHaveLength(1)
    }
  })

  test('is not needed to make the same prompt twice', async () => {
    const asha = await server().signUp()
    for (let time = 0; time < 2; time += 1) await door.generate(server(), { prompt: 'A lotus' }, asha)
    expect((await asha.trpc.images.mine.query()).images).toHaveLength(2)
  })

  test.each(['', 'two words', 'x'.repeat(201), 'é'])('is refused as %j', async (key) => {
    const asha = await server().signUp()
    expect(await door.generate(server(), { prompt: 'A lotus' }, asha, key)).toMatchObject({
      status: 400,
      error: 'The request key must have 1 to 200 printable ASCII characters.',
    })
    expect((await asha.trpc.images.mine.query()).images).toEqual([])
  })

  test('still finds its image when the day’s places are used up', async () => {
    const own = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '1' } })
    const asha = await own.signUp()
    for (let time = 0; time < 2; time += 1) {
      expect(await door.generate(own, { prompt: 'A lotus' }, asha, 'press-1')).toMatchObject({ error: null })
    }
  })

  test('joins the image that is in the making', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine })
    const asha = await own.signUp()
    const both = [1, 2].map(() => door.generate(own, { prompt: 'A lotus' }, asha, 'press-1'))
    await expect.poll(() => held.length).toBe(1)
    held[0]?.release()
    expect(await Promise.all(both)).toMatchObject([{ error: null }, { error: null }])
    expect(held).toHaveLength(1)
  })

  test('of an image that failed tells the failure again', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startTestServer({ engine })
    const asha = await own.signUp()
    const send = () => door.generate(own, { prompt: 'A lotus' }, asha, 'press-1')
    const first = send()
    await expect.poll(() => held.length).toBe(1)
    held[0]?.fail(new Error('out of paint'))
    expect(await first).toMatchObject({ status: 502 })
    expect(await send()).toEqual(await first)
    expect(held).toHaveLength(1)
  })
})
