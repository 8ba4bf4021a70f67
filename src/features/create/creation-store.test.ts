import { TRPCClientError } from '@trpc/client'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { errors, type ErrorCode } from '../../../shared/errors.ts'
import type { Image, ImageEvent, SucceededImage } from '../../../shared/images.ts'
import { NoResponse } from '../../api/failure.ts'
import { CreationStore, type CreationServices } from './creation-store.ts'

const viewer = { id: 'asha', firstName: 'Asha', imageUrl: null, role: 'member' as const }
/** The browser's clock, an hour ahead of the server's. */
const now = Date.parse('2026-11-20T13:00:00.000Z')
const createdAt = '2026-11-20T12:00:00.000Z'

function imageOf(state: Image['state'], more: Partial<Image> = {}): Image {
  const base = { id: 'i1', state, prompt: 'A diya', photo: '/uploads/i1/original.jpg', createdAt }
  return { ...base, failure: null, startedAt: null, ...more } as Image
}

const stateOf = (state: Image['state'], more: Partial<Image> = {}): ImageEvent => ({
  type: 'state',
  image: imageOf(state, more),
  usualSeconds: 20,
})

const lost = TRPCClientError.from(new NoResponse('lost'))

function rejection(reason: ErrorCode): Error {
  return TRPCClientError.from({ error: { code: -32600, message: `No: ${reason}.`, data: { reason } } })
}

/** Creates a store with a stub of the server. */
function open(more: Partial<CreationServices> = {}) {
  const calls: string[] = []
  const messages: string[] = []
  let watcher: Parameters<CreationServices['watch']>[1] | undefined
  const store = new CreationStore(viewer, {
    async generate({ prompt }) {
      calls.push(`generate ${prompt}`)
      return imageOf('queued')
    },
    watch(imageId, newWatcher) {
      calls.push(`watch ${imageId}`)
      watcher = newWatcher
      return () => calls.push(`unsubscribe ${imageId}`)
    },
    async cancel(imageId) {
      calls.push(`cancel ${imageId}`)
      return imageOf('canceled')
    },
    announce: (message) => messages.push(message),
    alert: (message) => messages.push(`alert: ${message}`),
    imagesChanged: () => {},
    now: () => now,
    ...more,
  })
  const send = async (...events: ImageEvent[]) => {
    await vi.waitFor(() => expect(watcher).toBeDefined())
    for (const event of events) watcher?.onEvent(event)
  }
  return { store, calls, messages, send, watcher: () => watcher, progress: () => store.getState().progress }
}

const isDone = (store: CreationStore) => vi.waitFor(() => expect(store.getState().progress).toBe(null))

beforeEach(() => {
  const browser = new EventTarget()
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

describe('CreationStore generation', () => {
  test('starts one generation for two clicks, and puts its image into the draft', async () => {
    const { store, calls, send } = open()
    store.change({ prompt: 'A diya' })
    void store.generate()
    void store.generate()
    await vi.waitFor(() => expect(store.getState().draft.awaited).toBe('i1'))
    await send(stateOf('succeeded'))
    await isDone(store)
    expect(store.getState().draft).toMatchObject({ image: { id: 'i1' }, awaited: null })
    expect(calls).toEqual(['generate A diya', 'watch i1', 'unsubscribe i1'])
  })

  test('keeps the preview until the image is loaded, even after the subscription has ended', async () => {
    let load = () => {}
    const loaded = new Promise<void>((resolve) => (load = resolve))
    vi.stubGlobal(
      'Image',
      class {
        decode = () => loaded
      },
    )
    const { store, send, watcher, progress } = open()
    store.change({ prompt: 'A diya' })
    void store.generate()
    await send(stateOf('running'), { type: 'preview', id: 'i1', dataUrl: 'data:,' }, stateOf('succeeded'))
    watcher()?.onEnd(null)
    expect(progress()?.preview).toBe('data:,')
    load()
    await isDone(store)
    expect(store.getState().draft.image?.id).toBe('i1')
  })

  test('returns to the draft without an alert if canceled before it is accepted', async () => {
    const { store, calls, messages } = open()
    store.change({ prompt: 'A diya' })
    store.show()
    void store.generate()
    void store.cancel()
    await isDone(store)
    expect(store.getState()).toMatchObject({ draft: { image: null, awaited: null }, failure: null })
    expect(calls).toEqual(['generate A diya', 'watch i1', 'cancel i1', 'unsubscribe i1'])
    expect(messages).toEqual(['The image is canceled.'])
  })

  test('tracks time by the browser’s clock, position and previews, and announces each change once', async () => {
    const { store, messages, send, progress } = open()
    store.change({ prompt: 'A diya' })
    void store.generate()
    await send(
      stateOf('queued'),
      { type: 'queue', id: 'i1', position: 2, waitSeconds: null },
      { type: 'queue', id: 'i1', position: 2, waitSeconds: null },
    )
    expect(progress()).toMatchObject({ phase: 'queued', ahead: 2, since: now, usualSeconds: 20 })
    await send({ type: 'queue', id: 'i1', position: 0, waitSeconds: null })
    const startedAt = '2026-11-20T11:59:55.000Z'
    await send(stateOf('running', { startedAt }), { type: 'preview', id: 'i1', dataUrl: 'data:,' })
    await send({ type: 'progress', id: 'i1', progress: 0.5 }, { type: 'stopping', id: 'i1' })
    expect(progress()).toMatchObject({
      phase: 'running',
      since: now - 5_000,
      preview: 'data:,',
      share: 0.5,
      isStopping: true,
    })
    expect(messages).toEqual([
      '2 images before yours.',
      'Your image is next.',
      'Your image is being generated.',
      'The server is restarting.',
    ])
  })

  test.each([
    { form: 'shown', alerts: [`alert: ${errors.engine_failed.message}`] },
    { form: 'hidden', alerts: [] },
  ])('keeps the error of a failed generation while the form is $form', async ({ form, alerts }) => {
    const { store, messages, send } = open()
    store.change({ prompt: 'A diya' })
    const hide = store.show()
    void store.generate()
    if (form === 'hidden') hide()
    await send(stateOf('running'), stateOf('failed', { failure: 'engine_failed' }))
    await isDone(store)
    expect(store.getState().failure?.message).toBe(errors.engine_failed.message)
    expect(messages.filter((message) => message.startsWith('alert'))).toEqual(alerts)
  })

  test('alerts the server’s message if the server rejects it', async () => {
    const { store, messages } = open({ generate: () => Promise.reject(rejection('daily_limit')) })
    store.change({ prompt: 'A diya' })
    store.show()
    await store.generate()
    expect(store.getState()).toMatchObject({ progress: null, failure: { message: 'No: daily_limit.' } })
    expect(messages).toEqual(['alert: No: daily_limit.'])
  })

  test('retries a request without a response with the same key, also on the next click', async () => {
    vi.useFakeTimers()
    const keys: string[] = []
    const { store } = open({
      generate({ requestKey }) {
        keys.push(requestKey)
        return Promise.reject(lost)
      },
    })
    store.change({ prompt: 'A diya' })
    for (let click = 0; click < 2; click += 1) {
      const end = store.generate()
      await vi.runAllTimersAsync()
      await end
    }
    expect(keys).toHaveLength(8)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('CreationStore subscription', () => {
  test('reopens after a lost connection, and announces it', async () => {
    vi.useFakeTimers()
    const { store, calls, messages, send, watcher, progress } = open()
    store.change({ prompt: 'A diya' })
    void store.generate()
    await send(stateOf('running'))
    watcher()?.onConnected(false)
    expect(progress()?.isDisconnected).toBe(true)
    watcher()?.onConnected(true)
    expect(progress()?.isDisconnected).toBe(false)
    for (let time = 0; time < 8; time += 1) {
      watcher()?.onEnd(lost)
      await vi.advanceTimersByTimeAsync(15_000)
    }
    expect(calls.filter((call) => call === 'watch i1')).toHaveLength(9)
    await send(stateOf('succeeded'))
    expect(progress()).toBe(null)
    expect(messages).toContain('The connection was lost and is being restored.')
  })

  test.each([
    { events: [stateOf('queued')], alerts: 0 },
    { events: [stateOf('running')], alerts: 1 },
  ])(
    'alerts the failure of an image of an earlier page only if it was running',
    async ({ events, alerts }) => {
      const { store, calls, messages, send } = open()
      store.change({ prompt: 'A diya', awaited: 'i1' })
      store.show()
      await send(...events, stateOf('failed', { failure: 'interrupted' }))
      expect(calls).toEqual(['watch i1', 'unsubscribe i1'])
      expect(store.getState()).toMatchObject({
        progress: null,
        failure: { message: errors.interrupted.message },
        draft: { awaited: null },
      })
      expect(messages.filter((message) => message.startsWith('alert'))).toHaveLength(alerts)
    },
  )

  test('ends silently if the image was deleted', async () => {
    const { store, messages, watcher } = open()
    store.change({ awaited: 'i1' })
    store.show()
    watcher()?.onEnd(rejection('not_found'))
    expect(store.getState()).toMatchObject({ progress: null, failure: null, draft: { awaited: null } })
    expect(messages).toEqual([])
  })

  test('keeps the draft waiting if the session has ended', async () => {
    const { store, watcher } = open()
    store.change({ awaited: 'i1' })
    store.show()
    watcher()?.onEnd(rejection('not_signed_in'))
    expect(store.getState()).toMatchObject({ failure: { needsSignIn: true }, draft: { awaited: 'i1' } })
  })

  test('picks up an image of another tab with its prompt, but not again once it has finished', async () => {
    const { store, calls, send } = open()
    store.pickUp(imageOf('running'))
    await send(stateOf('succeeded'))
    expect(store.getState().draft).toMatchObject({ image: { id: 'i1' }, prompt: 'A diya' })
    store.pickUp(imageOf('running'))
    expect(calls).toEqual(['watch i1', 'unsubscribe i1'])
  })
})

test('replaces the user’s former name in the draft, unless they typed another', () => {
  const { store } = open()
  store.rename({ ...viewer, firstName: 'Meera' })
  expect(store.getState().draft.name).toBe('Meera')
  store.change({ name: 'Meera of the hills' })
  store.rename(viewer)
  expect(store.getState().draft.name).toBe('Meera of the hills')
})

test('clears the shared parts of the draft, and keeps what was typed or generated meanwhile', () => {
  const shared = { name: 'Asha of the lake', prompt: 'A diya', imageId: 'i1' }
  const sent = { name: shared.name, prompt: shared.prompt, image: imageOf('succeeded') as SucceededImage }
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

  const next = imageOf('succeeded', { id: 'i2' }) as SucceededImage
  store.change({ ...sent, name: 'Asha of the hills', image: next, awaited: null })
  store.clearShared(shared)
  expect(store.getState().draft).toEqual({
    name: 'Asha of the hills',
    prompt: '',
    image: next,
    awaited: null,
  })
})
