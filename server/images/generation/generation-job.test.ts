import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { GenerationJob } from './generation-job.ts'

/** Opens a subscription and reads its first event. */
async function openSubscription(job: GenerationJob, signal: AbortSignal) {
  const events = job.follow(signal)
  const first = await events.next()
  return { events, first }
}

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

test('a subscriber that leaves during the first events releases its listeners at once', async () => {
  const job = new GenerationJob('image-1', 'A lotus')
  job.tell({ type: 'queued', position: 1 })
  const { signal } = new AbortController()
  const { events, first } = await openSubscription(job, signal)
  expect(first.value).toEqual({ type: 'queued', position: 1 })
  expect(listenersOf(signal)).toBe(1)
  await events.return(undefined)
  expect(listenersOf(signal)).toBe(0)
})

test('a subscriber that leaves while it waits for a change releases its listeners at once', async () => {
  const job = new GenerationJob('image-1', 'A lotus')
  const { signal } = new AbortController()
  const events = job.follow(signal)
  const first = events.next()
  job.tell({ type: 'queued', position: 0 })
  await first
  expect(listenersOf(signal)).toBe(1)
  await events.return(undefined)
  expect(listenersOf(signal)).toBe(0)
})

test('the other subscribers of a job go on when one leaves', async () => {
  const job = new GenerationJob('image-1', 'A lotus')
  job.tell({ type: 'queued', position: 1 })
  const { signal } = new AbortController()
  const [leaving, staying] = [await openSubscription(job, signal), await openSubscription(job, signal)]
  await leaving.events.return(undefined)
  job.tell({ type: 'queued', position: 0 })
  expect(await staying.events.next()).toMatchObject({ value: { type: 'queued', position: 0 } })
  job.end()
  expect(await staying.events.next()).toMatchObject({ done: true })
  expect(listenersOf(signal)).toBe(0)
})
