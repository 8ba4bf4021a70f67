import { QueryClient } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { errors, type ErrorCode } from '../../../shared/errors.ts'
import type { Image, ImageEvent, SucceededImage } from '../../../shared/images.ts'
import type { Post } from '../../../shared/posts.ts'
import { NoResponse } from '../../api/failure.ts'
import type { Api } from '../../api/trpc.ts'
import { CreationStore } from './creation-store.ts'
import type { Draft } from './draft.ts'
import { defaultOptions } from './form-options.ts'
import { notifyWhenHidden } from './notifications.ts'
import { shownIndex } from './progress.ts'
import { loadI18n } from '../../i18n/messages.ts'

vi.mock('./notifications.ts', () => ({ notifyWhenHidden: vi.fn(() => Promise.resolve()) }))

const i18n = await loadI18n('en')

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

interface Handlers {
  onData(message: { data: ImageEvent }): void
  onConnectionStateChange(change: { state: string; error: Error | null }): void
  onError(error: Error): void
  onComplete(): void
}

/** Calls of the server that a test replaces. */
interface Calls {
  generate(request: { prompt: string; requestKey: string; count?: number; seed?: number }): Promise<Image[]>
  cancel(id: string): Promise<Image>
  get(id: string): Promise<Image>
  create(): Promise<Post>
}

/** Creates a store with a stub of the server. */
function open(more: Partial<Calls> = {}) {
  const calls: string[] = []
  const messages: string[] = []
  let watcher: Handlers | undefined
  const server: Calls = {
    async generate({ prompt, count = 1 }) {
      calls.push(`generate ${prompt}`)
      return Array.from({ length: count }, (_, index) => imageOf('queued', { id: `i${index + 1}` }))
    },
    cancel: (id) => Promise.resolve(imageOf('canceled', { id })),
    get: (id) => Promise.resolve(imageOf('running', { id })),
    create: () => Promise.reject(new Error('unexpected')),
    ...more,
  }
  const images = {
    generate: {
      mutate: async (request: Parameters<Calls['generate']>[0]) => ({
        images: await server.generate(request),
      }),
    },
    watch: {
      subscribe({ ids }: { ids: string[] }, handlers: Handlers) {
        calls.push(`watch ${ids.join(' ')}`)
        watcher = handlers
        return { unsubscribe: () => calls.push(`unsubscribe ${ids.join(' ')}`) }
      },
    },
    cancel: {
      mutate({ id }: { id: string }) {
        calls.push(`cancel ${id}`)
        return server.cancel(id)
      },
    },
    get: { query: ({ id }: { id: string }) => server.get(id) },
  }
  const cached = { invalidate: () => Promise.resolve() }
  const api: object = {
    client: { images, posts: { create: { mutate: () => server.create() } } },
    images: { list: cached, quota: cached },
  }
  vi.stubGlobal('alert', (message: string) => messages.push(`alert: ${message}`))
  const store = new CreationStore(viewer, {
    i18n,
    api: api as Api,
    queryClient: new QueryClient(),
    announce: (message) => messages.push(message),
    toast: (message) => messages.push(`toast: ${message}`),
    report: () => {},
  })
  const send = async (...events: ImageEvent[]) => {
    await vi.waitFor(() => expect(watcher).toBeDefined())
    for (const data of events) watcher?.onData({ data })
  }
  const progress = () => store.getState().progress
  return {
    store,
    calls,
    messages,
    alerts: () => messages.filter((message) => message.startsWith('alert')),
    send,
    watcher: () => watcher,
    progress,
    first: () => progress()?.images[0],
  }
}

const isDone = (store: CreationStore) => vi.waitFor(() => expect(store.getState().progress).toBe(null))

beforeEach(() => {
  const browser = new EventTarget()
  vi.setSystemTime(now)
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
    await vi.waitFor(() => expect(store.getState().draft.awaited).toEqual(['i1']))
    await send(stateOf('succeeded'))
    await isDone(store)
    expect(store.getState().draft).toMatchObject({ image: { id: 'i1' }, awaited: [] })
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
    const { store, send, watcher, first } = open()
    store.change({ prompt: 'A diya' })
    void store.generate()
    await send(stateOf('running'), { type: 'preview', id: 'i1', dataUrl: 'data:,' }, stateOf('succeeded'))
    watcher()?.onComplete()
    expect(first()?.preview).toBe('data:,')
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
    expect(store.getState()).toMatchObject({ draft: { image: null, awaited: [] }, failure: null })
    expect(calls).toEqual(['generate A diya', 'watch i1', 'cancel i1', 'unsubscribe i1'])
    expect(messages).toEqual(['The image is canceled.'])
  })

  test('tracks time by the browser’s clock, position and previews, and announces each change once', async () => {
    const { store, messages, send, first } = open()
    store.change({ prompt: 'A diya' })
    void store.generate()
    await send(
      stateOf('queued'),
      { type: 'queue', id: 'i1', position: 2, waitSeconds: null },
      { type: 'queue', id: 'i1', position: 2, waitSeconds: null },
    )
    expect(first()).toMatchObject({ phase: 'queued', ahead: 2, since: now, usualSeconds: 20 })
    await send({ type: 'queue', id: 'i1', position: 0, waitSeconds: null })
    const startedAt = '2026-11-20T11:59:55.000Z'
    await send(stateOf('running', { startedAt }), { type: 'preview', id: 'i1', dataUrl: 'data:,' })
    await send({ type: 'progress', id: 'i1', progress: 0.5 }, { type: 'stopping', id: 'i1' })
    expect(first()).toMatchObject({
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
    { form: 'shown', text: `alert: ${errors.engine_failed.message}` },
    { form: 'hidden', text: `toast: ${errors.engine_failed.message}` },
  ])('reports a failed generation while the form is $form, and keeps the error', async ({ form, text }) => {
    const { store, messages, send } = open()
    store.change({ prompt: 'A diya' })
    const hide = store.show()
    void store.generate()
    if (form === 'hidden') hide()
    await send(stateOf('running'), stateOf('failed', { failure: 'engine_failed' }))
    await isDone(store)
    expect(store.getState().failure?.message).toBe(errors.engine_failed.message)
    expect(messages.at(-1)).toBe(text)
    expect(messages.filter((message) => message.includes(errors.engine_failed.message))).toEqual([text])
  })

  test.each([
    ['daily_limit', 'No: daily_limit.'],
    ['not_found', 'A reference image was deleted. Remove it from the options and try again.'],
  ] as const)('alerts why the server rejects a request with %s', async (reason, message) => {
    const { store, messages } = open({ generate: () => Promise.reject(rejection(reason)) })
    store.change({ prompt: 'A diya' })
    store.show()
    await store.generate({ referenceImageIds: ['r1'] })
    expect(store.getState()).toMatchObject({ progress: null, failure: { message } })
    expect(messages).toEqual([`alert: ${message}`])
  })

  test('retries a request without a response with the same key, also on the next click, unless options change', async () => {
    vi.useFakeTimers()
    const keys: string[] = []
    const { store } = open({
      generate({ requestKey }) {
        keys.push(requestKey)
        return Promise.reject(lost)
      },
    })
    store.change({ prompt: 'A diya' })
    for (const seed of [1, 1, 2]) {
      const end = store.generate({ seed })
      await vi.runAllTimersAsync()
      await end
    }
    expect(keys).toHaveLength(12)
    expect(keys.map((key) => keys.indexOf(key))).toEqual([...Array(8).fill(0), ...Array(4).fill(8)])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('CreationStore batch', () => {
  const stateOfImage = (id: string, state: Image['state'], more: Partial<Image> = {}) =>
    stateOf(state, { id, ...more })

  async function start(count: number, more: Partial<Calls> = {}) {
    const opened = open(more)
    opened.store.show()
    opened.store.change({ prompt: 'A diya' })
    void opened.store.generate({ count })
    await vi.waitFor(() => expect(opened.store.getState().draft.awaited).toHaveLength(count))
    return opened
  }

  test('watches its images together, and shows the first unfinished one unless the user chooses another', async () => {
    const { store, calls, messages, send, progress } = await start(4)
    const shown = () => {
      const running = progress()
      return running && shownIndex(running)
    }
    expect(calls).toEqual(['generate A diya', 'watch i1 i2 i3 i4'])
    await send(stateOfImage('i1', 'running'), { type: 'progress', id: 'i1', progress: 0.5 })
    expect(progress()).toMatchObject({ images: [{ share: 0.5 }, { phase: 'sending' }, {}, {}] })
    await send(stateOfImage('i1', 'succeeded'), stateOfImage('i2', 'running'))
    expect(shown()).toBe(1)
    store.choose(0)
    expect(shown()).toBe(0)
    await send(...['i2', 'i3', 'i4'].map((id) => stateOfImage(id, 'succeeded')))
    expect(store.getState()).toMatchObject({
      progress: null,
      draft: { image: { id: 'i1' }, batch: [{ id: 'i1' }, { id: 'i2' }, { id: 'i3' }, { id: 'i4' }] },
    })
    store.choose(2)
    expect(store.getState().draft.image?.id).toBe('i3')
    expect(messages).toEqual([
      'Your images are being generated.',
      'Image 1 of 4 is ready.',
      'Image 2 of 4 is ready.',
      'Image 3 of 4 is ready.',
      'All 4 images are ready.',
    ])
  })

  test('alerts a failure, which blocks the page, after its notification is shown', async () => {
    let show = () => {}
    vi.mocked(notifyWhenHidden).mockReturnValueOnce(new Promise<void>((resolve) => (show = resolve)))
    const { store, alerts, send } = await start(2)
    await send(stateOfImage('i1', 'succeeded'), stateOfImage('i2', 'failed', { failure: 'engine_failed' }))
    await isDone(store)
    expect(alerts()).toEqual([])
    show()
    await vi.waitFor(() => expect(alerts()).toHaveLength(1))
  })

  test('cancels all unfinished images, queued ones first, and keeps those that are ready', async () => {
    const deleted = 'i3'
    const { store, calls, messages, send } = await start(4, {
      cancel: (id) =>
        id === deleted
          ? Promise.reject(rejection('not_found'))
          : Promise.resolve(imageOf('canceled', { id })),
      get: (id) =>
        id === deleted ? Promise.reject(rejection('not_found')) : Promise.resolve(imageOf('queued')),
    })
    await send(stateOfImage('i1', 'succeeded'), stateOfImage('i2', 'running'))
    await store.cancel()
    expect(calls.filter((call) => call.startsWith('cancel'))).toEqual([
      'cancel i3',
      'cancel i4',
      'cancel i2',
      'cancel i3',
    ])
    expect(store.getState().failure).toBe(null)
    await send(stateOfImage(deleted, 'canceled'))
    await isDone(store)
    expect(store.getState().draft).toMatchObject({ image: { id: 'i1' }, batch: [{ id: 'i1' }] })
    expect(messages.at(-1)).toBe('1 of 4 images are ready.')
  })

  test('joins all images of a batch after a reload, and reopens the subscription for unfinished ones only', async () => {
    vi.useFakeTimers()
    const { store, calls, send, watcher, progress } = open()
    store.change({ prompt: 'A diya', awaited: ['i1', 'i2', 'i3'] })
    store.show()
    await send(stateOfImage('i1', 'succeeded'), stateOfImage('i2', 'running'))
    expect(progress()?.images.map(({ phase }) => phase)).toEqual(['finished', 'running', 'sending'])
    watcher()?.onError(lost)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(calls.filter((call) => call.startsWith('watch'))).toEqual(['watch i1 i2 i3', 'watch i2 i3'])
  })

  test('does not call an image reused that an earlier click without a response has started', async () => {
    vi.useFakeTimers()
    let isOnline = false
    const { store, messages } = open({
      generate: () => (isOnline ? Promise.resolve([imageOf('succeeded')]) : Promise.reject(lost)),
    })
    store.show()
    store.change({ prompt: 'A diya' })
    const end = store.generate()
    await vi.runAllTimersAsync()
    await end
    isOnline = true
    await store.generate()
    expect(store.getState()).toMatchObject({ reusedIds: [], draft: { image: { id: 'i1' } } })
    expect(messages.at(-1)).toBe('Your image is ready.')
  })

  test('keeps watching the other images if one is deleted in another tab', async () => {
    const { store, calls, send, watcher } = await start(3, {
      get: (id) =>
        id === 'i2' ? Promise.reject(rejection('not_found')) : Promise.resolve(imageOf('running')),
    })
    await send(stateOfImage('i1', 'succeeded'), stateOfImage('i3', 'running'))
    store.choose(2)
    watcher()?.onError(rejection('not_found'))
    await vi.waitFor(() => expect(calls.at(-1)).toBe('watch i3'))
    expect(store.getState()).toMatchObject({ progress: { chosen: 1 }, draft: { awaited: ['i1', 'i3'] } })
    await send(stateOfImage('i3', 'succeeded'))
    expect(store.getState()).toMatchObject({
      progress: null,
      failure: null,
      draft: { image: { id: 'i3' }, batch: [{ id: 'i1' }, { id: 'i3' }] },
    })
  })

  test('keeps the images that are ready if all others were deleted in another tab', async () => {
    const { store, send, watcher } = await start(3, { get: () => Promise.reject(rejection('not_found')) })
    await send(stateOfImage('i1', 'succeeded'))
    watcher()?.onError(rejection('not_found'))
    await isDone(store)
    expect(store.getState()).toMatchObject({ failure: null, draft: { image: { id: 'i1' }, awaited: [] } })
  })
})

describe('CreationStore subscription', () => {
  test('reopens after a lost connection, and announces it', async () => {
    vi.useFakeTimers()
    const { store, calls, messages, send, watcher, progress } = open()
    store.change({ prompt: 'A diya' })
    void store.generate()
    await send(stateOf('running'))
    watcher()?.onConnectionStateChange({ state: 'connecting', error: lost })
    expect(progress()?.isDisconnected).toBe(true)
    watcher()?.onConnectionStateChange({ state: 'pending', error: null })
    expect(progress()?.isDisconnected).toBe(false)
    for (let time = 0; time < 8; time += 1) {
      watcher()?.onError(lost)
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
      store.change({ prompt: 'A diya', awaited: ['i1'] })
      store.show()
      await send(...events, stateOf('failed', { failure: 'interrupted' }))
      expect(calls).toEqual(['watch i1', 'unsubscribe i1'])
      expect(store.getState()).toMatchObject({
        progress: null,
        failure: { message: errors.interrupted.message },
        draft: { awaited: [] },
      })
      expect(messages.filter((message) => message.startsWith('alert'))).toHaveLength(alerts)
    },
  )

  test.each([
    ['not_found', null, []],
    ['not_signed_in', { needsSignIn: true }, ['i1']],
  ] as const)('ends after %s without an alert', (reason, failure, awaited) => {
    const { store, alerts, watcher } = open()
    store.change({ awaited: ['i1'] })
    store.show()
    watcher()?.onError(rejection(reason))
    expect(store.getState()).toMatchObject({ progress: null, failure, draft: { awaited } })
    expect(alerts()).toEqual([])
  })

  test('picks up an image of another tab with its prompt, but not again once it has finished', async () => {
    const { store, calls, send } = open()
    store.pickUp([imageOf('running')])
    await send(stateOf('succeeded'))
    expect(store.getState().draft).toMatchObject({ image: { id: 'i1' }, prompt: 'A diya' })
    store.pickUp([imageOf('running')])
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

test('removes a deleted image from the draft, its batch and its options', () => {
  const image = imageOf('succeeded') as SucceededImage
  const other = { ...image, id: 'i2' }
  const reference = { id: 'i2', photo: '/uploads/i2/original.jpg', placeholder: 'abcdefgh' }
  const { store } = open()
  store.change({ image, batch: [image, other] })
  store.changeOptions({ seed: 7, references: [reference], mask: reference })
  store.remove('i2')
  expect(store.getState().draft).toMatchObject({
    image: { id: 'i1' },
    batch: [{ id: 'i1' }],
    options: { ...defaultOptions, seed: 7 },
  })
})

describe('CreationStore sharing', () => {
  const image = imageOf('succeeded') as SucceededImage
  const shared = { name: 'Asha of the lake', prompt: 'A diya', image, batch: [image] }
  const options = { hidePrompt: false, isSensitive: false }
  const empty = { name: 'Asha', prompt: '', options: defaultOptions, image: null, batch: [], awaited: [] }
  const post = { id: 'p1' } as Post

  /** Shares a draft. @param meanwhile changes of it before the response */
  async function share(meanwhile: Partial<Draft>) {
    const { store } = open({
      create() {
        store.change(meanwhile)
        return Promise.resolve(post)
      },
    })
    store.change(shared)
    expect(await store.share(options)).toBe(post)
    return store.getState().draft
  }

  test('clears the shared parts of the draft, and keeps what was typed or generated meanwhile', async () => {
    expect(await share({})).toEqual(empty)
    const typed = { prompt: 'A diya and a moth', options: { ...defaultOptions, seed: 7 }, awaited: ['i2'] }
    expect(await share(typed)).toEqual({ ...empty, ...typed })
    const next = imageOf('succeeded', { id: 'i2' }) as SucceededImage
    const generated = { name: 'Asha of the hills', image: next, batch: [next] }
    expect(await share(generated)).toEqual({ ...empty, ...generated })
  })

  test('ignores a second click, and keeps the draft with an alert if the server rejects it', async () => {
    let calls = 0
    const { store, messages } = open({
      create() {
        calls += 1
        return Promise.reject(rejection('post_limit'))
      },
    })
    store.change(shared)
    const ends = [store.share(options), store.share(options)]
    expect(store.getState().isSharing).toBe(true)
    expect(await Promise.all(ends)).toEqual([null, null])
    expect(calls).toBe(1)
    expect(store.getState()).toMatchObject({ isSharing: false, draft: { image: { id: 'i1' } } })
    expect(messages).toEqual(['alert: No: post_limit.'])
  })
})
