import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { createScriptedEngine, eventually, follow, imageRows } from '../../../test/support/generations.ts'
import { startTestServer } from '../../../test/support/test-server.ts'

const bearer = 'a-token-of-enough-letters'
const interrupted = { data: { reason: 'interrupted', httpStatus: 503 } }

async function start(folder?: string, concurrency = '1') {
  const scripted = createScriptedEngine()
  const server = await startTestServer({
    engine: scripted.engine,
    env: { API_TOKEN: bearer, IMAGE_CONCURRENCY: concurrency },
    ...(folder !== undefined && { folder }),
  })
  const client = server.client(server.headersOf({ bearer }))
  const startGeneration = (prompt: string, requestKey?: string) => follow(client, { prompt, requestKey })
  return { ...scripted, server, client, startGeneration, generations: server.services.generations }
}

test('notifies subscribers of a stop, and finishes running generations', async () => {
  const { server, client, startGeneration, waitForJob, generations } = await start()
  const running = startGeneration('running', 'press-1')
  const imageId = await running.id
  const waiting = startGeneration('waiting')
  await waiting.seen('queued')
  const job = await waitForJob('running')
  const stopped = generations.stop(60)
  await Promise.all([running.seen('stopping'), waiting.seen('stopping')])
  const late = follow(client, { id: imageId })
  await late.seen('stopping')
  expect(late.types()).toEqual(['running', 'stopping'])

  const pressedAgain = startGeneration('running', 'press-1')
  await pressedAgain.seen('stopping')
  await client.images.cancel.mutate({ id: await waiting.id })
  await expect(waiting.ended).rejects.toMatchObject({ data: { reason: 'canceled' } })
  await job.finish()
  await Promise.all([running.ended, late.ended, pressedAgain.ended, stopped])
  for (const { types } of [running, late, pressedAgain]) expect(types().at(-1)).toBe('succeeded')
  expect((await imageRows(server)).map(({ state }) => state)).toEqual(['succeeded', 'canceled'])
  expect(await client.images.quota.query()).toMatchObject({ used: 1 })
})

test('fails and refunds generations that exceed the shutdown timeout', async () => {
  const folder = await tempFolder()
  const { server, client, startGeneration, waitForJob, generations } = await start(folder, '2')
  const both = [startGeneration('one'), startGeneration('two')]
  const jobs = [await waitForJob('one'), await waitForJob('two')]
  await generations.stop(0.05)
  expect(jobs.map(({ signal }) => signal.aborted)).toEqual([true, true])
  for (const { ended } of both) await expect(ended).rejects.toMatchObject(interrupted)
  expect(await client.images.quota.query()).toMatchObject({ used: 0 })
  await server.stop()

  const again = await start(folder)
  const failed = { state: 'failed', failure: 'interrupted', photo: null }
  const { images } = await again.client.images.list.query()
  expect(images).toMatchObject([failed, failed])
  await expect(follow(again.client, { id: images[0]?.id ?? '' }).ended).rejects.toMatchObject(interrupted)
  const next = again.startGeneration('three')
  await (await again.waitForJob('three')).finish()
  await next.ended
  expect(await again.client.images.quota.query()).toMatchObject({ used: 1 })
})

test('stores an image that the engine has returned, even after the shutdown timeout', async () => {
  const { server, startGeneration, waitForJob, generations } = await start()
  const { blobs } = server.services
  const put = blobs.put
  let store = () => {}
  const stored = new Promise<void>((resolve) => (store = resolve))
  const spy = vi.spyOn(blobs, 'put').mockImplementation(async (files) => {
    await stored
    return put(files)
  })
  const own = startGeneration('arrived')
  await (await waitForJob('arrived')).finish()
  await eventually(() => spy.mock.calls.length).toBe(1)
  const stopped = generations.stop(0)
  await own.seen('stopping')
  store()
  await Promise.all([own.ended, stopped])
  expect((await own.seen('succeeded')).image.state).toBe('succeeded')
})

test('stops immediately without generations, also if called twice', async () => {
  const { generations } = await start()
  await Promise.all([generations.stop(60), generations.stop(60)])
})

test('does not fail its own new generations while it fails interrupted ones', async () => {
  const { server, jobs, generations } = await start(undefined, '2')
  for (let turns = 0; turns < 10; turns += 1) {
    const viewer = { id: `user-${turns}`, firstName: 'Guest', imageUrl: null, role: 'member' as const }
    const [image] = await generations.generate(viewer, { prompt: `early ${turns}` })
    for (let turn = 0; turn < turns; turn += 1) await (turns % 2 ? setImmediate() : Promise.resolve())
    await generations.start()
    await eventually(() => jobs.length).toBe(turns + 1)
    await jobs.at(-1)?.finish()
    await generations.waitForOriginal(viewer, image?.id ?? '')
  }
  expect((await imageRows(server)).map(({ state }) => state)).toEqual(Array(10).fill('succeeded'))
})
