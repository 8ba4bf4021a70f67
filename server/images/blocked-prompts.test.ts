import { expect, test } from 'vitest'
import type { ImageEngine } from '../engines/image-engine.ts'
import { AppError } from '../errors/app-error.ts'
import { transports } from '../../test/support/transports.ts'
import { engineFacts, plainJpeg } from '../../test/support/engine.ts'
import { startTestServer } from '../../test/support/test-server.ts'

const bearer = 'a-token-of-enough-letters'
const message = 'The image service does not allow this prompt. Change it and try again.'
const blocked = { status: 400, error: message }
const limitReached = { status: 429, error: 'You have reached your daily image limit.' }

/** Engine that blocks prompts containing “blocked”. */
const engine: ImageEngine = {
  ...engineFacts,
  model: 'moderated',
  async *generate({ prompt }) {
    if (prompt.includes('blocked')) throw new AppError('prompt_blocked', message)
    yield { type: 'complete', bytes: await plainJpeg(prompt) }
  },
}

function startAt(now: () => number) {
  return startTestServer({ engine, now, env: { DAILY_IMAGE_LIMIT: '3', API_TOKEN: bearer } })
}

test.each(transports)(
  'refunds blocked prompts up to the daily limit, then counts them, through $name',
  async (transport) => {
    let now = Date.UTC(2026, 4, 9, 12)
    const server = await startAt(() => now)
    const client = server.client(server.headersOf({ bearer }))
    const generate = (prompt: string) => transport.generate(server, { prompt }, { bearer })
    const used = async () => (await client.images.quota.query()).used

    for (let time = 1; time <= 3; time += 1) {
      expect(await generate(`blocked ${time}`)).toMatchObject(blocked)
      expect(await used()).toBe(0)
    }
    for (let time = 1; time <= 2; time += 1) {
      expect(await generate(`blocked again ${time}`)).toMatchObject(blocked)
      expect(await used()).toBe(time)
    }
    expect(await generate('A lotus')).toMatchObject({ error: null })
    expect(await generate('blocked at last')).toMatchObject(limitReached)
    expect(await generate('A kite')).toMatchObject(limitReached)
    expect(await used()).toBe(3)

    now += 24 * 60 * 60 * 1_000
    expect(await generate('blocked on another day')).toMatchObject(blocked)
    expect(await used()).toBe(0)
  },
)

test('counts blocked prompts per user', async () => {
  const server = await startAt(Date.now)
  const client = server.client(server.headersOf({ bearer }))
  const asha = await server.signUp()
  for (let time = 1; time <= 4; time += 1) {
    await expect(asha.generate(`blocked ${time}`)).rejects.toMatchObject({
      data: { reason: 'prompt_blocked' },
    })
  }
  const [transport] = transports
  expect(await transport?.generate(server, { prompt: 'blocked' }, { bearer })).toMatchObject(blocked)
  expect(await client.images.quota.query()).toMatchObject({ used: 0 })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
})

test('refunds a prompt that is blocked after midnight to the day on which it was counted', async () => {
  let now = Date.UTC(2026, 4, 9, 23, 59, 59)
  const server = await startTestServer({
    engine: {
      ...engine,
      generate: () => {
        now += 2_000
        throw new AppError('prompt_blocked', message)
      },
    },
    now: () => now,
    env: { API_TOKEN: bearer },
  })
  await transports[1]?.generate(server, { prompt: 'blocked' }, { bearer })
  const usage = server.services.db.selectFrom('daily_usage').select(['day', 'kind', 'used']).orderBy('kind')
  expect(await usage.execute()).toEqual([
    { day: '2026-05-09', kind: 'blocked', used: 1 },
    { day: '2026-05-09', kind: 'image', used: 0 },
  ])
})

test('stores prompt_blocked as the failure of the image', async () => {
  const server = await startAt(Date.now)
  const asha = await server.signUp()
  await expect(asha.generate('blocked')).rejects.toMatchObject({
    message,
    data: { httpStatus: 400 },
  })
  expect(await asha.trpc.images.list.query()).toMatchObject({
    images: [{ prompt: 'blocked', state: 'failed', failure: 'prompt_blocked', photo: null }],
  })
})
