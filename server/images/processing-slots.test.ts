import { expect, onTestFinished, test } from 'vitest'
import { transports, type Answer } from '../../test/support/transports.ts'
import { eventually } from '../../test/support/generations.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { imageQueueLength, imageSlots, unlessTooManyWait, whenSlotIsFree } from './processing-slots.ts'

/** Work that goes on until the test says so, and how much of it goes on at a time. */
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

test('processes at most as many images at once as there are slots, and each of them eventually', async () => {
  const { work, running, most } = heldWork()
  const all = Array.from({ length: 20 }, () => whenSlotIsFree(work))
  for (let done = 0; done < 20; done += 1) {
    await expect.poll(() => running.length, { interval: 1 }).toBe(Math.min(imageSlots, 20 - done))
    running.shift()?.()
  }
  await Promise.all(all)
  expect(most()).toBe(imageSlots)
})

test('rejects uploads while many wait, but never generated images', async () => {
  const { work, running } = heldWork()
  const taken = Array.from({ length: imageSlots + imageQueueLength }, () => unlessTooManyWait(work))
  await expect.poll(() => running.length).toBe(imageSlots)
  await expect(unlessTooManyWait(work)).rejects.toMatchObject({ code: 'busy', retryAfter: 10 })
  const paid = whenSlotIsFree(work)
  const ended = Promise.all([...taken, paid])
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
  const taken = Array.from({ length: imageSlots }, () => unlessTooManyWait(work))
  const waiting = [
    unlessTooManyWait(named('first upload')),
    unlessTooManyWait(named('second upload')),
    whenSlotIsFree(named('first image')),
    whenSlotIsFree(named('second image')),
  ]
  for (const release of running) release()
  await Promise.all([...taken, ...waiting])
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
  'a crowd of users shares its photos or is told to come again, and nothing else happens, $name',
  async (transport) => {
    const server = await startTestServer({ env: clerkEnv() })
    const photo = dataUrl(await noisyImage().jpeg().toBuffer())
    const share = (prompt: string) => transport.share(server, { prompt, photo }, signInAtClerk(server))
    const { work, running } = heldWork()
    const taken = Array.from({ length: imageSlots }, () => whenSlotIsFree(work))
    const shared = imageQueueLength
    onTestFinished(() => running.forEach((release) => release()))
    const answers = Array.from({ length: shared + 5 }, (_, number) => share(`Photo ${number}`))
    const refused: Answer[] = []
    for (const answer of answers) void answer.then((refusal) => refused.push(refusal))
    await eventually(() => refused.length).toBe(5)
    expect(refused).toEqual(
      refused.map(() => ({
        status: 503,
        error: 'Many photos are being shared right now. Please try again in a moment.',
        retryAfter: 10,
      })),
    )
    for (const release of running) release()
    await Promise.all(taken)
    const succeeded = (await Promise.all(answers)).filter(({ error }) => error === null)
    expect(succeeded).toHaveLength(shared)
    expect((await transport.list(server, { limit: 100 })).posts).toHaveLength(shared)
    const uploads = server.services.db.selectFrom('daily_usage').select('used').where('kind', '=', 'upload')
    const consumed = await uploads.where('used', '>', 0).execute()
    expect(consumed).toEqual(Array.from({ length: shared }, () => ({ used: 1 })))
    expect(await share('Later')).toMatchObject({ error: null })
  },
)
