import { expect, test } from 'vitest'
import { transports } from '../../test/support/transports.ts'
import { createScriptedEngine, eventually, follow, imageRows } from '../../test/support/generations.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'

const bearer = 'a-token-of-enough-letters'
const limitReached = 'You have reached your daily image limit.'

/** Sends requests at once, alternating between the transports. */
function sendAtOnce(server: TestServer, count: number, promptOf: (index: number) => string, key?: string) {
  return Array.from({ length: count }, async (_, index) => {
    const transport = transports[index % transports.length]
    return transport?.generate(server, { prompt: promptOf(index) }, { bearer }, key)
  })
}

async function start(env: Record<string, string> = {}) {
  const scripted = createScriptedEngine()
  const server = await startTestServer({ engine: scripted.engine, env: { API_TOKEN: bearer, ...env } })
  return { ...scripted, server, client: server.client(server.headersOf({ bearer })) }
}

test('accepts exactly one of 100 simultaneous requests for the last image, and another one after a failure', async () => {
  const { server, client, jobs, waitForJob } = await start({ DAILY_IMAGE_LIMIT: '2' })
  const before = follow(client, { prompt: 'before' })
  await (await waitForJob('before')).finish()
  await before.ended

  for (const [round, end] of (['fail', 'finish'] as const).entries()) {
    const results = sendAtOnce(server, 100, (index) => `round ${round}, ${index}`)
    let settledCount = 0
    for (const result of results) void result.then(() => (settledCount += 1))
    await eventually(() => settledCount).toBe(99)
    // The others may be rejected before the accepted one has reached the engine.
    await eventually(() => jobs.length).toBe(2 + round)
    expect(await client.images.quota.query()).toMatchObject({ used: 2 })
    const job = jobs.at(-1)
    if (end === 'finish') await job?.finish()
    else job?.fail(new Error('out of paint'))
    const ends = (await Promise.all(results)).map((result) => result?.error)
    const expected = end === 'finish' ? null : 'The image could not be generated. Try again.'
    expect(ends.filter((error) => error !== limitReached)).toEqual([expected])
    expect(await client.images.quota.query()).toMatchObject({ used: end === 'finish' ? 2 : 1 })
  }
  expect((await imageRows(server)).map(({ state }) => state)).toEqual(['succeeded', 'failed', 'succeeded'])
})

test('generates and counts one image for a request key sent 20 times at once through both transports', async () => {
  const { server, client, jobs, waitForJob } = await start({ DAILY_IMAGE_LIMIT: '1' })
  const results = sendAtOnce(server, 20, () => 'Pressed once', 'press-1')
  await (await waitForJob('Pressed once')).finish()
  expect((await Promise.all(results)).map((result) => result?.error)).toEqual(Array(20).fill(null))
  expect(jobs).toHaveLength(1)
  expect(await imageRows(server)).toHaveLength(1)
  expect(await client.images.quota.query()).toMatchObject({ used: 1 })
})

test('frees the quota of a canceled queued image for the next one', async () => {
  const { client, waitForJob } = await start({ DAILY_IMAGE_LIMIT: '2', IMAGE_CONCURRENCY: '1' })
  const running = follow(client, { prompt: 'running' })
  const job = await waitForJob('running')
  const waiting = follow(client, { prompt: 'waiting' })
  const imageId = await waiting.id
  const third = () => follow(client, { prompt: 'third' })
  await expect(third().ended).rejects.toMatchObject({ data: { reason: 'daily_limit' } })
  await client.images.cancel.mutate({ id: imageId })
  const accepted = third()
  await accepted.seen('queued')
  await job.finish()
  await (await waitForJob('third')).finish()
  await Promise.all([running.ended, accepted.ended])
  expect(await client.images.quota.query()).toMatchObject({ used: 2 })
})
