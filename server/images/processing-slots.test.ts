import { expect, onTestFinished, test } from 'vitest'
import { transports, type CallResult } from '../../test/support/transports.ts'
import { eventually } from '../../test/support/generations.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { imageQueueLength, imageSlots, unlessTooManyWait, whenSlotIsFree } from './processing.ts'

/** Creates work that runs until the test releases it, and counts how much runs at once. */
function heldWork() {
  const running: (() => void)[] = []
  let most = 0
  const work = async () => {
    await new Promise<void>((resolve) => {
      running.push(resolve)
      most = Math.max(most, running.length)
    })
  }
  return { work, running, most: () => most }
}

test('processes all images, at most one per slot at once', async () => {
  const { work, running, most } = heldWork()
  const all = Array.from({ length: 20 }, () => whenSlotIsFree(work))
  for (let done = 0; done < 20; done += 1) {
    await expect.poll(() => running.length, { interval: 1 }).toBe(Math.min(imageSlots, 20 - done))
    running.shift()?.()
  }
  await Promise.all(all)
  expect(most()).toBe(imageSlots)
})

test('rejects uploads while the queue is full, but never generated images', async () => {
  const { work, running } = heldWork()
  const slotHolders = Array.from({ length: imageSlots + imageQueueLength }, () => unlessTooManyWait(work))
  await expect.poll(() => running.length).toBe(imageSlots)
  await expect(unlessTooManyWait(work)).rejects.toMatchObject({ code: 'busy', retryAfter: 10 })
  const paid = whenSlotIsFree(work)
  const ended = Promise.all([...slotHolders, paid])
  const release = setInterval(() => running.shift()?.(), 1)
  await ended
  clearInterval(release)
  const next = unlessTooManyWait(work)
  await expect.poll(() => running.length).toBe(1)
  running.shift()?.()
  await next
})

test('processes generated images before waiting uploads, and uploads in order', async () => {
  const { work, running } = heldWork()
  const order: string[] = []
  const named = (name: string) => async () => {
    order.push(name)
  }
  const slotHolders = Array.from({ length: imageSlots }, () => unlessTooManyWait(work))
  const waiting = [
    unlessTooManyWait(named('first upload')),
    unlessTooManyWait(named('second upload')),
    whenSlotIsFree(named('first image')),
    whenSlotIsFree(named('second image')),
  ]
  for (const release of running) release()
  await Promise.all([...slotHolders, ...waiting])
  expect(order).toEqual(['first image', 'second image', 'first upload', 'second upload'])
})

test('frees the slot of work that fails', async () => {
  const failing = Array.from({ length: imageSlots + 1 }, () =>
    whenSlotIsFree(() => Promise.reject(new Error('out of paint'))),
  )
  for (const work of failing) await expect(work).rejects.toThrow('out of paint')
  expect(await whenSlotIsFree(() => Promise.resolve('done'))).toBe('done')
})

test.each(transports)(
  'stores uploads of many users up to the queue limit and rejects the rest without consuming quota, through $name',
  async (transport) => {
    const server = await startTestServer({ env: clerkEnv() })
    const photo = dataUrl(await noisyImage().jpeg().toBuffer())
    const share = (prompt: string) => transport.share(server, { prompt, photo }, signInAtClerk(server))
    const { work, running } = heldWork()
    const slotHolders = Array.from({ length: imageSlots }, () => whenSlotIsFree(work))
    const shared = imageQueueLength
    onTestFinished(() => running.forEach((release) => release()))
    const results = Array.from({ length: shared + 5 }, (_, number) => share(`Photo ${number}`))
    const rejected: CallResult[] = []
    for (const result of results) void result.then((value) => rejected.push(value))
    await eventually(() => rejected.length).toBe(5)
    expect(rejected).toEqual(
      rejected.map(() => ({
        status: 503,
        error: 'Many photos are being shared right now. Please try again in a moment.',
        retryAfter: 10,
      })),
    )
    for (const release of running) release()
    await Promise.all(slotHolders)
    const succeeded = (await Promise.all(results)).filter(({ error }) => error === null)
    expect(succeeded).toHaveLength(shared)
    expect((await transport.list(server, { limit: 100 })).posts).toHaveLength(shared)
    const uploads = server.services.db.selectFrom('daily_usage').select('used').where('kind', '=', 'upload')
    const consumed = await uploads.where('used', '>', 0).execute()
    expect(consumed).toEqual(Array.from({ length: shared }, () => ({ used: 1 })))
    expect(await share('Later')).toMatchObject({ error: null })
  },
)
