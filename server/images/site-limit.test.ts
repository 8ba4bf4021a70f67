import { describe, expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { transports } from '../../test/support/transports.ts'
import { createFailingEngine, createHeldEngine } from '../../test/support/engine.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { siteUsage, utcDay } from './quota.ts'

const bearer = 'a-token-of-enough-letters'
const siteLimitReached = {
  status: 429,
  error: 'This site has reached its daily image limit. Try again after midnight UTC.',
}
const ownLimitReached = { status: 429, error: 'You have reached your daily image limit.' }

const usedToday = ({ services: { db, now } }: TestServer) => siteUsage(db, utcDay(now()))

describe.each(transports)('the daily limit of the whole site, through $name', (transport) => {
  test('applies to all users together, and resets at midnight UTC', async () => {
    let now = Date.UTC(2026, 1, 28, 23, 59, 59)
    const env = { DAILY_IMAGE_TOTAL: '3', DAILY_IMAGE_LIMIT: '2', API_TOKEN: bearer }
    const server = await startTestServer({ env, now: () => now })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const generate = (credential: { cookie: string } | { bearer: string }) =>
      transport.generate(server, { prompt: 'A lotus' }, credential)
    expect(await generate(asha)).toMatchObject({ error: null })
    expect(await generate(asha)).toMatchObject({ error: null })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 2, siteRemaining: 1 })
    expect(await generate({ bearer })).toMatchObject({ error: null })
    expect(await generate(ravi)).toMatchObject({ ...siteLimitReached, retryAfter: 1 })
    // The user's own limit is reported first.
    expect(await generate(asha)).toMatchObject(ownLimitReached)
    expect(await ravi.trpc.images.quota.query()).toMatchObject({ used: 0, siteRemaining: 0 })
    now += 1_000
    expect(await generate(ravi)).toMatchObject({ error: null })
    expect(await ravi.trpc.images.quota.query()).toMatchObject({ used: 1, siteRemaining: 2 })
  })

  test('accepts exactly the remaining 4 of 16 simultaneous requests', async () => {
    const server = await startTestServer({ env: { DAILY_IMAGE_TOTAL: '4' } })
    const users = await Promise.all(Array.from({ length: 8 }, () => server.signUp()))
    const requests = users.flatMap((user) => [1, 2].map(() => user))
    const results = await Promise.all(
      requests.map((user, index) => transport.generate(server, { prompt: `At once ${index}` }, user)),
    )
    expect(results.filter(({ error }) => error === null)).toHaveLength(4)
    expect(results.filter(({ error }) => error !== null)).toMatchObject(
      Array.from({ length: 12 }, () => siteLimitReached),
    )
    expect(await usedToday(server)).toBe(4)
  })

  test('is refunded when the engine fails', async () => {
    const engine = createFailingEngine(new AppError('engine_failed', 'out of paint'))
    const server = await startTestServer({ engine, env: { DAILY_IMAGE_TOTAL: '1' } })
    const asha = await server.signUp()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await transport.generate(server, { prompt: 'A lotus' }, asha)).toMatchObject({ status: 502 })
      expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0, siteRemaining: 1 })
    }
  })

  test('is refunded for blocked prompts as often as the user’s own limit', async () => {
    const engine = createFailingEngine(new AppError('prompt_blocked', 'Not this.'))
    const server = await startTestServer({ engine, env: { DAILY_IMAGE_LIMIT: '2' } })
    const asha = await server.signUp()
    for (const used of [0, 0, 1, 2]) {
      await transport.generate(server, { prompt: 'A lotus' }, asha)
      expect(await asha.trpc.images.quota.query()).toMatchObject({ used })
      expect(await usedToday(server)).toBe(used)
    }
  })

  test('is refunded for canceled generations only if they were not sent to the engine', async () => {
    const { engine, held } = createHeldEngine()
    const env = { IMAGE_CONCURRENCY: '1', DAILY_IMAGE_TOTAL: '2' }
    const server = await startTestServer({ engine, env })
    const asha = await server.signUp()
    const sent = transport.generate(server, { prompt: 'Sent' }, asha)
    await expect.poll(() => held.length).toBe(1)
    const waiting = transport.generate(server, { prompt: 'Waiting' }, asha)
    await expect.poll(() => usedToday(server)).toBe(2)
    const { images } = await asha.trpc.images.list.query()
    for (const [index, { id }] of images.entries()) {
      await asha.trpc.images.cancel.mutate({ id: id })
      expect(await usedToday(server)).toBe(1)
      expect(images[index]?.prompt).toBe(index === 0 ? 'Waiting' : 'Sent')
    }
    expect([await sent, await waiting].map(({ status }) => status)).toEqual([409, 409])
  })

  test('includes images of deleted accounts', async () => {
    const server = await startTestServer({ env: { DAILY_IMAGE_TOTAL: '1' } })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    await asha.generate('A lotus')
    const password = 'correct horse'
    expect((await server.postAccount('/delete-user', { password }, { cookie: asha.cookie })).status).toBe(200)
    expect(await transport.generate(server, { prompt: 'A kite' }, ravi)).toMatchObject(siteLimitReached)
  })

  test('includes images of the same day from before it was set', async () => {
    const folder = await tempFolder()
    const before = await startTestServer({ folder })
    const asha = await before.signUp()
    await asha.generate('A lotus')
    expect(await asha.trpc.images.quota.query()).not.toHaveProperty('siteRemaining')
    await before.stop()
    const after = await startTestServer({ folder, env: { DAILY_IMAGE_TOTAL: '1' } })
    expect(await transport.generate(after, { prompt: 'A kite' }, asha)).toMatchObject(siteLimitReached)
  })
})

test('refunds the site limit for generations that a stopping server could not finish', async () => {
  const { engine, held } = createHeldEngine()
  const folder = await tempFolder()
  const before = await startTestServer({ folder, engine })
  const asha = await before.signUp()
  await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
  await expect.poll(() => held.length).toBe(1)
  await before.stop()
  const after = await startTestServer({ folder, env: { DAILY_IMAGE_TOTAL: '1' } })
  expect(await usedToday(after)).toBe(0)
  const [transport] = transports
  expect(await transport?.generate(after, { prompt: 'A kite' }, asha)).toMatchObject({ error: null })
})
