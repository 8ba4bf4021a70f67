import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createScriptedEngine, eventually, follow } from '../../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { findOwnImage } from '../images.ts'

const { engine, jobs, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })

const startGeneration = (user: TestUser, prompt: string) => follow(user.trpc, { prompt })
const cancel = (user: TestUser, id: string) => user.trpc.images.cancel.mutate({ id })
const usedBy = async (user: TestUser) => (await user.trpc.images.quota.query()).used
const canceled = { state: 'canceled', failure: null, photo: null }
const canceledError = {
  message: 'The generation was canceled.',
  data: { reason: 'canceled', httpStatus: 409 },
}

test('canceling a queued generation refunds it, never calls the engine, and moves the others up', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const running = startGeneration(ravi, 'It runs')
  const job = await waitForJob('It runs')
  const first = startGeneration(asha, 'It waits')
  const id = await first.id
  await first.seen('queued')
  const second = startGeneration(ravi, 'It waits behind')
  expect(await second.seen('queue')).toMatchObject({ position: 1 })
  expect(await usedBy(asha)).toBe(1)
  expect(await cancel(asha, id)).toMatchObject({ id, ...canceled })
  await expect(first.ended).rejects.toMatchObject(canceledError)
  expect(await usedBy(asha)).toBe(0)
  expect(await second.seen('queue', 1)).toMatchObject({ position: 0 })
  await job.finish()
  await (await waitForJob('It waits behind')).finish()
  await Promise.all([running.ended, second.ended])
  expect(jobs.map(({ prompt }) => prompt)).not.toContain('It waits')
})

test('canceling a running generation aborts the engine, keeps it counted, and starts the next one', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const rest = server().postJson('/api/v1/imgGenerate', { prompt: 'It is canceled' }, asha)
  const job = await waitForJob('It is canceled')
  const next = startGeneration(ravi, 'It is next')
  await next.seen('queued')
  const [image] = (await asha.trpc.images.list.query()).images
  expect(await cancel(asha, image?.id ?? '')).toMatchObject(canceled)
  expect(job.signal.aborted).toBe(true)
  expect((await rest).status).toBe(409)
  expect(await (await rest).json()).toEqual({ success: false, error: canceledError.message })
  expect(await usedBy(asha)).toBe(1)
  expect((await asha.trpc.images.list.query()).images).toMatchObject([canceled])
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
  const id = await generation.id
  await (await waitForJob('It arrived')).finish()
  await eventually(() => spy.mock.calls.length).toBe(1)
  const result = cancel(asha, id)
  await usedBy(asha)
  store()
  expect(await result).toMatchObject({ id, state: 'succeeded', photo: expect.any(String) })
  await generation.ended
})

test('does not change a finished generation', async () => {
  const asha = await server().signUp()
  const good = startGeneration(asha, 'It is done')
  await (await waitForJob('It is done')).finish()
  const { image } = await good.seen('succeeded')
  expect(await cancel(asha, image.id)).toEqual(image)
  const bad = startGeneration(asha, 'It failed')
  ;(await waitForJob('It failed')).fail(new Error('out of paint'))
  await Promise.allSettled([bad.ended])
  expect(await cancel(asha, await bad.id)).toMatchObject({ state: 'failed', failure: 'engine_failed' })
  expect(await usedBy(asha)).toBe(1)
})

test('cancels once for simultaneous requests, queued or running', async () => {
  const asha = await server().signUp()
  const running = startGeneration(asha, 'Five times')
  const runningId = await running.id
  const waiting = startGeneration(asha, 'Five times, too')
  await waiting.seen('queued')
  for (const id of [await waiting.id, runningId]) {
    const results = await Promise.all(Array.from({ length: 5 }, () => cancel(asha, id)))
    expect(results.map(({ state }) => state)).toEqual(Array(5).fill('canceled'))
  }
  expect(await usedBy(asha)).toBe(1)
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
