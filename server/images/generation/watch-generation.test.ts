import { expect, test } from 'vitest'
import { createScriptedEngine, eventually, expectState, follow } from '../../../test/support/generations.ts'
import { plainJpeg } from '../../../test/support/engine.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { AppError } from '../../errors/app-error.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })

/** Creates a client of the same user. */
const secondClient = ({ cookie }: TestUser) => server().client(server().headersOf({ cookie }))

const startGeneration = (user: TestUser, prompt: string) => follow(user.trpc, { prompt })

const join = (user: TestUser, imageId: string) => follow(secondClient(user), { id: imageId })

test('reports a queued job from its current position to its end', async () => {
  const [asha, ravi, meera] = [await server().signUp(), await server().signUp(), await server().signUp()]
  const first = startGeneration(ravi, 'Ravi is first')
  const before = await waitForJob('Ravi is first')
  const second = startGeneration(meera, 'Meera is second')
  await second.seen('queued')
  const { id: imageId, createdAt } = (await startGeneration(asha, 'Asha waits').seen('queued')).image

  const other = join(asha, imageId)
  expect(await other.seen('queue')).toEqual({ type: 'queue', id: imageId, position: 1, waitSeconds: null })
  expect(other.events[0]).toMatchObject({
    type: 'state',
    image: { id: imageId, prompt: 'Asha waits', createdAt },
  })
  await before.finish()
  expect(await other.seen('queue', 1)).toEqual({
    type: 'queue',
    id: imageId,
    position: 0,
    waitSeconds: expect.any(Number),
  })
  await (await waitForJob('Meera is second')).finish()
  const { startedAt } = (await other.seen('running')).image
  expect(Date.parse(startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt))
  await (await waitForJob('Asha waits')).finish()
  await Promise.all([first.ended, second.ended, other.ended])
  expect(other.types()).toEqual(['queued', 'queue', 'queue', 'running', 'succeeded'])
  expect(other.events.at(-1)).toMatchObject({ image: { id: imageId, state: 'succeeded' } })
})

test('reports a running job with its latest preview, and all later events', async () => {
  const asha = await server().signUp()
  const own = startGeneration(asha, 'Joined late')
  const imageId = await own.id
  const job = await waitForJob('Joined late')
  await own.seen('running')
  job.preview(await plainJpeg('rough'))
  job.preview(await plainJpeg('finer'))
  const latest = await own.seen('preview', 1)

  const other = join(asha, imageId)
  expect(await other.seen('preview')).toEqual(latest)
  expect(other.types()).toEqual(['running', 'preview'])
  job.preview(await plainJpeg('finest'))
  const finest = await other.seen('preview', 1)
  expect(finest).not.toEqual(latest)
  await job.finish()
  await Promise.all([own.ended, other.ended])
  expect(other.types()).toEqual(['running', 'preview', 'preview', 'succeeded'])
  expect(own.events.slice(-2)).toEqual(other.events.slice(-2))
})

test('reports a finished job immediately, each time', async () => {
  const asha = await server().signUp()
  const own = startGeneration(asha, 'Finished long ago')
  await (await waitForJob('Finished long ago')).finish()
  const { image } = await own.seen('succeeded')
  for (let time = 0; time < 2; time += 1) {
    const other = join(asha, image.id)
    await other.ended
    expect(other.events).toMatchObject([{ type: 'state', image }])
  }
})

test.each([
  { name: 'a failure', end: new Error('out of paint'), reason: 'engine_failed', status: 502 },
  {
    name: 'a blocked prompt',
    end: new AppError('prompt_blocked', 'No.'),
    reason: 'prompt_blocked',
    status: 400,
  },
  {
    name: 'a timeout',
    end: new DOMException('late', 'TimeoutError'),
    reason: 'engine_timeout',
    status: 504,
  },
])('reports $name to every subscriber, also afterwards', async ({ name, end, reason, status }) => {
  const asha = await server().signUp()
  const prompt = `Ends with ${name}`
  const own = startGeneration(asha, prompt)
  const imageId = await own.id
  const other = join(asha, imageId)
  const job = await waitForJob(prompt)
  job.preview(await plainJpeg('rough'))
  await Promise.all([own.seen('preview'), other.seen('preview')])
  job.fail(end)
  const later = async () => {
    await other.ended.catch(() => {})
    await join(asha, imageId).ended
  }
  for (const ended of [own.ended, other.ended, later()])
    await expect(ended).rejects.toMatchObject({ data: { reason, httpStatus: status } })
})

test('reports a cancellation to every subscriber, also afterwards', async () => {
  const asha = await server().signUp()
  const own = startGeneration(asha, 'Canceled')
  const imageId = await own.id
  const other = join(asha, imageId)
  await other.seen('running')
  await secondClient(asha).images.cancel.mutate({ id: imageId })
  const expected = { message: 'The generation was canceled.', data: { reason: 'canceled', httpStatus: 409 } }
  for (const ended of [own.ended, other.ended, join(asha, imageId).ended])
    await expect(ended).rejects.toMatchObject(expected)
})

test('responds 404 to the id of another user’s image and to an unknown id', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const imageId = await startGeneration(asha, 'Asha’s own').id
  const job = await waitForJob('Asha’s own')
  const missing = { message: 'Image not found.', data: { reason: 'not_found', httpStatus: 404 } }
  await expect(join(ravi, imageId).ended).rejects.toMatchObject(missing)
  await expect(join(ravi, 'no-such-image').ended).rejects.toMatchObject(missing)
  await job.finish()
  await expectState(asha, imageId, { state: 'succeeded' })
  await expect(join(ravi, imageId).ended).rejects.toMatchObject(missing)
  await expect(join(ravi, 'not an id').ended).rejects.toMatchObject({ data: { httpStatus: 400 } })
})

test('an unsubscribing client ends neither the job nor other subscriptions', async () => {
  const asha = await server().signUp()
  const own = startGeneration(asha, 'Watched by many')
  const imageId = await own.id
  const job = await waitForJob('Watched by many')
  const controller = new AbortController()
  const unsubscribed = follow(secondClient(asha), { id: imageId }, controller.signal)
  const other = join(asha, imageId)
  await Promise.all([unsubscribed.seen('running'), other.seen('running')])
  controller.abort()
  await expect(unsubscribed.ended).rejects.toThrow('abort')
  expect(job.signal.aborted).toBe(false)
  await job.finish()
  await Promise.all([own.ended, other.ended])
  expect(other.types().at(-1)).toBe('succeeded')
})

test('finishes and counts a generation without subscribers', async () => {
  const own = await startTestServer({ engine, env: { API_TOKEN: 'a-token-of-enough-letters' } })
  const client = own.client(own.headersOf({ bearer: 'a-token-of-enough-letters' }))
  const controller = new AbortController()
  const { signal } = controller
  const asking = follow(client, { prompt: 'Without subscribers' }, signal)
  const imageId = await asking.id
  const watching = follow(client, { id: imageId }, signal)
  await watching.seen('running')
  controller.abort()
  await Promise.allSettled([asking.ended, watching.ended])
  await (await waitForJob('Without subscribers')).finish()
  await eventually(() => client.images.list.query()).toMatchObject({
    images: [{ id: imageId, state: 'succeeded' }],
  })
  expect(await client.images.quota.query()).toMatchObject({ used: 1 })
})
