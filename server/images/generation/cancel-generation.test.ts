import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { plainJpeg } from '../../../test/support/engine.ts'
import { createScriptedEngine, eventually, follow } from '../../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { findOwnImage } from '../images.ts'

const { engine, jobs, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })

const startGeneration = (user: TestUser, prompt: string) => follow(user.trpc, { prompt })
const cancel = (user: TestUser, id: string) => user.trpc.images.cancel.mutate({ id })
const canceledError = {
  message: 'The generation was canceled.',
  data: { reason: 'canceled', httpStatus: 409 },
}

test('canceling a queued generation refunds it, never calls the engine, and moves the others up', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const running = startGeneration(ravi, 'It runs')
  const job = await waitForJob('It runs')
  const first = startGeneration(asha, 'It waits')
  const imageId = await first.id
  await first.seen('queued')
  const second = startGeneration(ravi, 'It waits behind')
  expect(await second.seen('queue')).toMatchObject({ position: 1 })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })

  expect(await cancel(asha, imageId)).toMatchObject({
    id: imageId,
    state: 'canceled',
    failure: null,
    photo: null,
  })
  await expect(first.ended).rejects.toMatchObject(canceledError)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  expect(await second.seen('queue', 1)).toMatchObject({ position: 0 })
  await job.finish()
  await (await waitForJob('It waits behind')).finish()
  await Promise.all([running.ended, second.ended])
  expect(jobs.map(({ prompt }) => prompt)).not.toContain('It waits')
})

test('canceling a running generation aborts the engine, keeps the quota consumed, and starts the next one', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const own = startGeneration(asha, 'It is canceled')
  const imageId = await own.id
  const job = await waitForJob('It is canceled')
  job.preview(await plainJpeg('rough'))
  await own.seen('preview')
  const next = startGeneration(ravi, 'It is next')
  await next.seen('queued')

  expect(await cancel(asha, imageId)).toMatchObject({ state: 'canceled', failure: null, photo: null })
  expect(job.signal.aborted).toBe(true)
  await expect(own.ended).rejects.toMatchObject(canceledError)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  expect((await asha.trpc.images.list.query()).images).toMatchObject([{ id: imageId, state: 'canceled' }])
  await (await waitForJob('It is next')).finish()
  await next.ended
})

test('keeps an image that the engine returned before the cancellation', async () => {
  const own = await startTestServer({ engine })
  const asha = await own.signUp()
  const put = own.services.blobs.put
  let store = () => {}
  const stored = new Promise<void>((resolve) => (store = resolve))
  const spy = vi.spyOn(own.services.blobs, 'put').mockImplementation(async (files) => {
    await stored
    return put(files)
  })
  const generation = startGeneration(asha, 'It arrived')
  const imageId = await generation.id
  await (await waitForJob('It arrived')).finish()
  await eventually(() => spy.mock.calls.length).toBe(1)
  const result = cancel(asha, imageId)
  await asha.trpc.images.quota.query()
  store()
  expect(await result).toMatchObject({ id: imageId, state: 'succeeded', photo: expect.any(String) })
  await generation.ended
  expect(generation.types().at(-1)).toBe('succeeded')
})

test('does not change a finished generation', async () => {
  const asha = await server().signUp()
  const good = startGeneration(asha, 'It is done')
  await (await waitForJob('It is done')).finish()
  const { image } = await good.seen('succeeded')
  expect(await cancel(asha, image.id)).toEqual(image)
  const bad = startGeneration(asha, 'It failed')
  const imageId = await bad.id
  ;(await waitForJob('It failed')).fail(new Error('out of paint'))
  await Promise.allSettled([bad.ended])
  expect(await cancel(asha, imageId)).toMatchObject({ state: 'failed', failure: 'engine_failed' })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
})

test('cancels once for simultaneous requests, queued or running', async () => {
  const asha = await server().signUp()
  const running = startGeneration(asha, 'Five times')
  const runningId = await running.id
  const waiting = startGeneration(asha, 'Five times, too')
  const ids = [runningId, await waiting.id]
  await waiting.seen('queued')
  for (const id of ids.toReversed()) {
    const device = server().client(server().headersOf(asha))
    const results = await Promise.all(
      Array.from({ length: 5 }, () => device.images.cancel.mutate({ id: id })),
    )
    expect(results.map(({ state }) => state)).toEqual(Array(5).fill('canceled'))
    expect(await cancel(asha, id)).toEqual(results[0])
  }
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  await Promise.allSettled([running.ended, waiting.ended])
})

test('responds 404 to another user, and continues the generation', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const own = startGeneration(asha, 'Only Asha may cancel')
  const imageId = await own.id
  const job = await waitForJob('Only Asha may cancel')
  const missing = { message: 'Image not found.', data: { reason: 'not_found', httpStatus: 404 } }
  await expect(cancel(ravi, imageId)).rejects.toMatchObject(missing)
  await expect(cancel(ravi, 'no-such-image')).rejects.toMatchObject(missing)
  await expect(cancel(ravi, 'no id')).rejects.toMatchObject({ data: { httpStatus: 400 } })
  await job.finish()
  await own.ended
})

test('REST responds 409 if the image is canceled through tRPC', async () => {
  const asha = await server().signUp()
  const response = server().postJson('/api/v1/imgGenerate', { prompt: 'Sent through REST' }, asha)
  await waitForJob('Sent through REST')
  const [image] = (await asha.trpc.images.list.query()).images
  await cancel(asha, image?.id ?? '')
  expect((await response).status).toBe(409)
  expect(await (await response).json()).toEqual({ success: false, error: 'The generation was canceled.' })
})

test.each(['cancel', 'delete'])('images.%s rejects a call without a session', async (procedure) => {
  const address = `/trpc/images.${procedure}`
  const input = { id: 'x' }
  const response = await server().postJson(address, input)
  expect(response.status).toBe(401)
})

test('refunds a canceled generation only if the engine was not called, at any moment of the cancellation', async () => {
  const own = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
  const { generations, db } = own.services
  for (let turns = 0; turns < 12; turns += 1) {
    const viewer = { id: `user-${turns}`, firstName: 'Guest', imageUrl: null, role: 'member' as const }
    const [first] = await generations.generate(viewer, { prompt: `before ${turns}` })
    const [second] = await generations.generate(viewer, { prompt: `behind ${turns}` })
    const ends = Promise.allSettled(
      [first, second].map((image) => generations.waitForOriginal(viewer, image?.id ?? '')),
    )
    const behind = await findOwnImage(db, viewer, second?.id ?? '')
    const job = await waitForJob(`before ${turns}`)
    job.fail(new Error('out of paint'))
    for (let turn = 0; turn < turns; turn += 1) await (turns % 2 ? setImmediate() : Promise.resolve())
    await generations.cancel(behind)
    await ends
    const wasSent = jobs.some(({ prompt }) => prompt === `behind ${turns}`)
    const usage = db.selectFrom('daily_usage').select('used').where('user_id', '=', viewer.id)
    expect(await usage.execute()).toEqual([{ used: wasSent ? 1 : 0 }])
  }
})
