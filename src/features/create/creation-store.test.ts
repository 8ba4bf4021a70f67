import { TRPCClientError } from '@trpc/client'
import { expect, test, vi } from 'vitest'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { GenerationEvent, Image, ReadyImage } from '../../../shared/images.ts'
import { CreationStore } from './creation-store.ts'

const viewer = { id: 'asha', firstName: 'Asha', imageUrl: null, role: 'member' as const }
const now = Date.parse('2026-11-20T12:00:00.000Z')

function imageOf(id: string, state: Image['state']): Image {
  return { id, state, prompt: 'A diya' } as Image
}

function refusal(reason: ErrorCode): Error {
  return TRPCClientError.from({ error: { code: -32600, message: `No: ${reason}.`, data: { reason } } })
}

/** A store, and the server's side of the one connection that it opens. */
function open() {
  const calls: string[] = []
  const said: string[] = []
  let send: (event: GenerationEvent | Error) => void = () => {}

  async function connect(call: string, signal: AbortSignal) {
    calls.push(call)
    const stream = new ReadableStream<GenerationEvent>({
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason))
        send = (event) => (event instanceof Error ? controller.error(event) : controller.enqueue(event))
      },
    })
    return stream as unknown as AsyncIterable<GenerationEvent>
  }

  const store = new CreationStore(viewer, {
    generate: ({ prompt }, signal) => connect(`generate ${prompt}`, signal),
    watch: (imageId, signal) => connect(`watch ${imageId}`, signal),
    async cancel(imageId) {
      calls.push(`cancel ${imageId}`)
      return imageOf(imageId, 'cancelled')
    },
    announce: (sentence) => said.push(sentence),
    alert: (sentence) => said.push(`alert: ${sentence}`),
    imagesChanged: () => {},
    now: () => now,
  })
  return { store, calls, said, send: (event: GenerationEvent | Error) => send(event) }
}

function accepted(imageId = 'i1'): GenerationEvent {
  const createdAt = new Date(now).toISOString()
  return { type: 'accepted', imageId, prompt: 'A diya', createdAt, usualSeconds: null }
}

const started: GenerationEvent = { type: 'started', startedAt: new Date(now).toISOString() }
const ready: GenerationEvent = { type: 'ready', image: imageOf('i1', 'ready') as ReadyImage }

test('two presses are one, and its image comes into the draft', async () => {
  const { store, calls, send } = open()
  store.change({ prompt: 'A diya' })
  void store.generate()
  void store.generate()
  send(accepted())
  await vi.waitFor(() => expect(store.getState().draft.awaited).toBe('i1'))
  send(ready)
  await vi.waitFor(() => expect(store.getState().progress).toBe(null))
  expect(store.getState().draft).toMatchObject({ image: { id: 'i1' }, awaited: null })
  expect(calls).toEqual(['generate A diya'])
})

test('cancelling goes back to what was, without an alert', async () => {
  const { store, calls, said, send } = open()
  store.change({ prompt: 'A diya' })
  store.show()
  void store.generate()
  // Before the server has even accepted it.
  void store.cancel()
  send(accepted())
  await vi.waitFor(() => expect(store.getState().progress).toBe(null))
  expect(store.getState()).toMatchObject({ draft: { image: null, awaited: null }, failure: null })
  expect(calls).toEqual(['generate A diya', 'cancel i1'])
  expect(said).toEqual(['The image is cancelled.'])
})

test.each([
  { form: 'shown', alerts: ['alert: No: engine_failed.'] },
  { form: 'gone', alerts: [] },
])('a failure stays readable, and is alerted where the form is $form', async ({ form, alerts }) => {
  const { store, said, send } = open()
  store.change({ prompt: 'A diya' })
  const leave = store.show()
  void store.generate()
  if (form === 'gone') leave()
  send(accepted())
  await vi.waitFor(() => expect(store.getState().progress?.imageId).toBe('i1'))
  send(refusal('engine_failed'))
  await vi.waitFor(() => expect(store.getState().failure?.message).toBe('No: engine_failed.'))
  expect(said.filter((sentence) => sentence.startsWith('alert'))).toEqual(alerts)
})

test.each([
  { events: [accepted()], reason: 'interrupted', message: 'No: interrupted.', alerts: 0 },
  { events: [accepted(), started], reason: 'engine_failed', message: 'No: engine_failed.', alerts: 1 },
  { events: [], reason: 'not_found', message: undefined, alerts: 0 },
] as const)('a draft that waits for $reason is told so', async ({ events, reason, message, alerts }) => {
  const { store, calls, said, send } = open()
  store.change({ prompt: 'A diya', awaited: 'i1' })
  store.show()
  for (const event of events) send(event)
  if (events.length > 0) await vi.waitFor(() => expect(store.getState().progress?.prompt).toBe('A diya'))
  if (events.length > 1) await vi.waitFor(() => expect(store.getState().progress?.phase).toBe('making'))
  send(refusal(reason))
  await vi.waitFor(() => expect(store.getState().progress).toBe(null))
  expect(calls).toEqual(['watch i1'])
  expect(store.getState().failure?.message).toBe(message)
  expect(store.getState().draft.awaited).toBe(null)
  expect(said.filter((sentence) => sentence.startsWith('alert'))).toHaveLength(alerts)
})

test('an image of another tab is picked up with its words, and not again once it has ended', async () => {
  const { store, calls, send } = open()
  store.pickUp(imageOf('i1', 'generating'))
  send(accepted())
  send(ready)
  await vi.waitFor(() => expect(store.getState().draft.image?.id).toBe('i1'))
  expect(store.getState().draft.prompt).toBe('A diya')
  store.pickUp(imageOf('i1', 'generating'))
  expect(calls).toEqual(['watch i1'])
})

test('without a session the draft goes on waiting', async () => {
  const { store, send } = open()
  store.change({ awaited: 'i1' })
  store.show()
  send(refusal('not_signed_in'))
  await vi.waitFor(() => expect(store.getState().failure?.needsSignIn).toBe(true))
  expect(store.getState().draft.awaited).toBe('i1')
})

test('a new name of the user replaces the old one in the draft, but none that they typed', () => {
  const { store } = open()
  store.rename({ ...viewer, firstName: 'Meera' })
  expect(store.getState().draft.name).toBe('Meera')
  store.change({ name: 'Meera of the hills' })
  store.rename(viewer)
  expect(store.getState().draft.name).toBe('Meera of the hills')
})

test('sharing clears what was shared, and keeps what was written or generated meanwhile', () => {
  const shared = { name: 'Asha of the lake', prompt: 'A diya', imageId: 'i1' }
  const sent = { name: shared.name, prompt: shared.prompt, image: imageOf('i1', 'ready') as ReadyImage }
  const { store } = open()
  store.change(sent)
  store.clearShared(shared)
  expect(store.getState().draft).toEqual({ name: 'Asha', prompt: '', image: null, awaited: null })

  store.change({ ...sent, prompt: 'A diya and a moth', awaited: 'i2' })
  store.clearShared(shared)
  expect(store.getState().draft).toEqual({
    name: 'Asha',
    prompt: 'A diya and a moth',
    image: null,
    awaited: 'i2',
  })

  const next = imageOf('i2', 'ready') as ReadyImage
  store.change({ ...sent, name: 'Asha of the hills', image: next, awaited: null })
  store.clearShared(shared)
  expect(store.getState().draft).toEqual({
    name: 'Asha of the hills',
    prompt: '',
    image: next,
    awaited: null,
  })
})
