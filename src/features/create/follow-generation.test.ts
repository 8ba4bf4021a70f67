import { TRPCClientError } from '@trpc/client'
import { beforeEach, expect, test, vi } from 'vitest'
import type { GenerationEvent, ReadyImage } from '../../../shared/images.ts'
import { NoResponse } from '../../api/no-answer.ts'
import { subscribeToGeneration } from './follow-generation.ts'

const image = { id: 'i1', state: 'ready', prompt: 'A diya' } as ReadyImage
const press = { prompt: 'A diya', requestKey: 'k1' }
const accepted: GenerationEvent = {
  type: 'accepted',
  imageId: 'i1',
  prompt: 'A diya',
  createdAt: '2026-11-20T12:00:00.000Z',
  usualSeconds: null,
}
const ready: GenerationEvent = { type: 'ready', image }
const lost = TRPCClientError.from(new NoResponse('lost'))
const blocked = TRPCClientError.from({
  error: { code: -32600, message: 'No.', data: { reason: 'prompt_blocked' } },
})

type Connection = readonly (GenerationEvent | Error)[]

async function* play(connection: Connection): AsyncGenerator<GenerationEvent> {
  for (const one of connection) {
    if (one instanceof Error) throw one
    yield one
  }
}

/** Follows over these connections, and tells which calls were made and what was told. */
async function follow(connections: readonly Connection[], signal = new AbortController().signal) {
  const calls: string[] = []
  const told: string[] = []
  const left = [...connections]
  const open = (call: string) => {
    calls.push(call)
    return Promise.resolve(play(left.shift() ?? [lost]))
  }
  const followed = subscribeToGeneration(
    {
      generate: ({ requestKey }) => open(`generate ${requestKey}`),
      watch: (imageId) => open(`watch ${imageId}`),
    },
    press,
    ({ type }) => told.push(type),
    signal,
  )
  const end = followed.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return { end: await end, calls, told }
}

beforeEach(() => {
  vi.useFakeTimers()
  const browser = new EventTarget()
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('an image is followed to its end', async () => {
  const { end, calls, told } = await follow([[accepted, ready]])
  expect(end).toBe(image)
  expect(calls).toEqual(['generate k1'])
  expect(told).toEqual(['accepted'])
})

test('a press that got no answer is sent again under its own key', async () => {
  const { end, calls } = await follow([[lost], [], [accepted, ready]])
  expect(end).toBe(image)
  expect(calls).toEqual(['generate k1', 'generate k1', 'generate k1'])
})

test('a press that never gets an answer is given up', async () => {
  const { end, calls } = await follow([])
  expect(end).toBe(lost)
  expect(calls).toEqual(['generate k1', 'generate k1', 'generate k1', 'generate k1'])
})

test('an accepted job is joined again, however often the connection breaks', async () => {
  const broken: Connection[] = Array.from({ length: 8 }, () => [lost])
  const { end, calls, told } = await follow([[accepted, lost], ...broken, [accepted, ready]])
  expect(end).toBe(image)
  expect(calls).toEqual(['generate k1', ...Array.from({ length: 9 }, () => 'watch i1')])
  expect(told.filter((type) => type === 'broken')).toHaveLength(9)
})

test.each([
  { connections: [[blocked]] },
  {
    connections: [
      [accepted, lost],
      [accepted, blocked],
    ],
  },
])('what the server refuses is final', async ({ connections }) => {
  expect((await follow(connections)).end).toBe(blocked)
})

test('who is told to stop makes no more calls', async () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort('gone'), 100)
  const { end, calls } = await follow([[accepted, lost]], controller.signal)
  expect(end).toBe('gone')
  expect(calls).toEqual(['generate k1'])
})
