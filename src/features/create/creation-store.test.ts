import { QueryClient } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { errors, type ErrorCode } from '../../../shared/errors.ts'
import type { Image, ImageEvent, SucceededImage } from '../../../shared/images.ts'
import type { Post } from '../../../shared/posts.ts'
import { NoResponse } from '../../api/failure.ts'
import type { Api } from '../../api/trpc.ts'
import { CreationStore } from './creation-store.ts'
import { emptyDraft, type Draft } from './draft.ts'
import { defaultOptions, type OptionInputs } from './form-options.ts'
import { resultOf, startOf } from './progress.ts'
import { notifyWhenHidden } from '../../browser/device-notifications.ts'
import { loadI18n } from '../../i18n/messages.ts'

vi.mock('../../browser/device-notifications.ts', () => ({ notifyWhenHidden: vi.fn(() => Promise.resolve()) }))

const i18n = await loadI18n('en')

/** The browser's clock, an hour ahead of the server's. */
const now = Date.parse('2026-11-20T13:00:00.000Z')
const createdAt = '2026-11-20T12:00:00.000Z'

function imageOf(state: Image['state'], more: Partial<Image> = {}): Image {
  const base = { id: 'i1', state, prompt: 'A diya', photo: '/uploads/i1/original.jpg', createdAt }
  return { ...base, failure: null, startedAt: null, ...more } as Image
}

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
  generate(request: { prompt: string; requestKey: string; count?: number }): Promise<Image[]>
  cancel(id: string): Promise<Image>
  create(input: { prompt: string }): Promise<Post>
}

/** Creates a store with a stub of the server, and a prompt in the draft. */
function open(more: Partial<Calls> = {}) {
  const calls: string[] = []
  const messages: string[] = []
  let watcher: Handlers | undefined
  const deleted = new Set<string>()
  const server: Calls = {
    generate: async ({ count = 1 }) =>
      Array.from({ length: count }, (_, index) => imageOf('queued', { id: `i${index + 1}` })),
    cancel: async (id) => imageOf('canceled', { id }),
    create: () => Promise.reject(new Error('unexpected')),
    ...more,
  }
  const note = <Result>(call: string, result: Result) => {
    calls.push(call)
    return result
  }
  const images = {
    generate: {
      mutate: async (request: Parameters<Calls['generate']>[0]) => ({
        images: await note(`generate ${request.prompt}`, server.generate(request)),
      }),
    },
    watch: {
      subscribe({ ids }: { ids: string[] }, handlers: Handlers) {
        watcher = handlers
        calls.push(`watch ${ids.join(' ')}`)
      },
    },
    get: {
      query: async ({ id }: { id: string }) =>
        deleted.has(id) ? Promise.reject(rejection('not_found')) : {},
    },
    cancel: { mutate: ({ id }: { id: string }) => note(`cancel ${id}`, server.cancel(id)) },
  }
  const cached = { invalidate: () => Promise.resolve() }
  const api: object = {
    client: { images, posts: { create: { mutate: (input: { prompt: string }) => server.create(input) } } },
    images: { list: cached, months: cached, quota: cached },
    styles: { list: cached },
  }
  vi.stubGlobal('alert', (message: string) => messages.push(`alert: ${message}`))
  const store = new CreationStore('asha', {
    i18n,
    api: api as Api,
    queryClient: new QueryClient(),
    announce: (message) => messages.push(message),
    toast: (message) => messages.push(`toast: ${message}`),
    report: () => {},
  })
  store.change({ prompt: 'A diya' })
  return {
    store,
    calls,
    messages,
    callsOf: (name: string) => calls.filter((call) => call.startsWith(name)),
    alerts: () => messages.filter((message) => message.startsWith('alert')),
    async send(...events: ImageEvent[]) {
      await vi.waitFor(() => expect(watcher).toBeDefined())
      for (const data of events) watcher?.onData({ data })
    },
    watcher: () => watcher,
    /** Ends the subscription, as images were deleted in another tab. */
    async remove(...ids: string[]) {
      for (const id of ids) deleted.add(id)
      watcher?.onError(rejection('not_found'))
      await vi.waitFor(() => expect(store.getState().draft.awaited.flat()).not.toContain(ids[0]))
    },
    progress: () => store.getState().running[0],
    first: () => store.getState().running[0]?.images[0],
    startedAt() {
      const [progress] = store.getState().running
      return progress?.images[0] && startOf(progress, progress.images[0])
    },
    draft: () => store.getState().draft,
  }
}

/** Opens a store with its form, and generates images. */
async function start(count = 1, more: Partial<Calls> = {}) {
  const opened = open(more)
  opened.store.show()
  void opened.store.queue({ count })
  await vi.waitFor(() => expect(opened.draft().awaited.flat()).toHaveLength(count))
  return opened
}

const isDone = (store: CreationStore) => vi.waitFor(() => expect(store.getState().running).toEqual([]))

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

/** An event with the state of an image. */
const stateOf = (id: string, state: Image['state'], more: Partial<Image> = {}): ImageEvent => ({
  type: 'state',
  image: imageOf(state, { id, ...more }),
  usualSeconds: 20,
})
const preview: ImageEvent = { type: 'preview', id: 'i1', dataUrl: 'data:,' }
const queued = (position: number): ImageEvent => ({ type: 'queue', id: 'i1', position, waitSeconds: null })
const gone = () => Promise.reject(rejection('not_found'))

describe('generation', () => {
  test('puts its image into the draft', async () => {
    const { store, calls, send, draft } = open()
    void store.queue()
    await send(stateOf('i1', 'succeeded'))
    await isDone(store)
    expect(draft()).toMatchObject({ image: { id: 'i1' }, awaited: [] })
    expect(calls).toEqual(['generate A diya', 'watch i1'])
  })

  test('keeps the preview until the image is loaded', async () => {
    let load = () => {}
    const loaded = new Promise<void>((resolve) => (load = resolve))
    vi.stubGlobal(
      'Image',
      class {
        decode = () => loaded
      },
    )
    const { store, send, first, draft } = await start()
    await send(stateOf('i1', 'running'), preview, stateOf('i1', 'succeeded'))
    expect(first()?.preview).toBe('data:,')
    expect(draft().image).toBe(null)
    load()
    await isDone(store)
    expect(draft().image?.id).toBe('i1')
  })

  test('returns to the draft without an alert if canceled before it is accepted', async () => {
    const { store, calls, messages } = open()
    store.show()
    void store.queue()
    void store.cancel(store.getState().shown ?? '')
    await isDone(store)
    expect(store.getState()).toMatchObject({ draft: { image: null, awaited: [] }, failure: null })
    expect(calls).toEqual(['generate A diya', 'watch i1', 'cancel i1'])
    expect(messages).toEqual(['The image is canceled.'])
  })

  test('tracks time by the browser’s clock, position and previews, and announces each change once', async () => {
    const { messages, send, first, startedAt: since } = await start()
    await send(stateOf('i1', 'queued'), queued(2), queued(2))
    expect(first()).toMatchObject({ queue: { position: 2 }, usualSeconds: 20 })
    expect(since()).toBe(now)
    const startedAt = '2026-11-20T11:59:55.000Z'
    const progress: ImageEvent = { type: 'progress', id: 'i1', progress: 0.5 }
    await send(queued(0), stateOf('i1', 'running', { startedAt }), preview, progress)
    await send({ type: 'stopping', id: 'i1' })
    expect(first()).toMatchObject({ queue: null, preview: 'data:,', share: 0.5, isStopping: true })
    expect(since()).toBe(now - 5_000)
    expect(messages).toEqual([
      '2 images before yours.',
      'Your image is next.',
      'Your image is being generated.',
      'The server is restarting.',
    ])
  })

  test.each(['alert', 'toast'])('reports a failure once, by %s, and keeps it', async (kind) => {
    const { message } = errors.engine_failed
    const { store, messages, send } = open()
    const hide = store.show()
    void store.queue()
    if (kind === 'toast') hide()
    await send(stateOf('i1', 'running'), stateOf('i1', 'failed', { failure: 'engine_failed' }))
    await isDone(store)
    expect(store.getState().failure?.message).toBe(message)
    expect(messages.filter((text) => text.includes(message))).toEqual([`${kind}: ${message}`])
    expect(messages.at(-1)).toBe(`${kind}: ${message}`)
  })

  test.each([
    ['daily_limit', {}, 'No: daily_limit.'],
    [
      'not_found',
      { styleId: 's1', referenceImageIds: ['r1'] },
      'A reference image was deleted. Remove it from the options and try again.',
    ],
    ['not_found', { styleId: 's1' }, 'This style was deleted. Choose another one.'],
  ] satisfies [ErrorCode, OptionInputs, string][])(
    'alerts why the server rejects a request with %s of %j',
    async (reason, options, message) => {
      const { store, messages } = open({ generate: () => Promise.reject(rejection(reason)) })
      store.show()
      await store.queue(options)
      expect(store.getState()).toMatchObject({ running: [], failure: { message } })
      expect(messages).toEqual([`alert: ${message}`])
    },
  )

  test('retries a request without a response with the same key, also on the next click, unless options change', async () => {
    vi.useFakeTimers()
    const keys: string[] = []
    const { store } = open({
      generate({ requestKey }) {
        keys.push(requestKey)
        return Promise.reject(lost)
      },
    })
    for (const seed of [1, 1, 2]) {
      const end = store.queue({ seed })
      await vi.runAllTimersAsync()
      await end
    }
    expect(keys.map((key) => keys.indexOf(key))).toEqual([...Array(8).fill(0), ...Array(4).fill(8)])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('sends another request after one without a response whose images it has picked up', async () => {
    vi.useFakeTimers()
    const keys = new Set<string>()
    const { store } = open({
      generate({ requestKey }) {
        keys.add(requestKey)
        return Promise.reject(lost)
      },
    })
    for (const id of ['i1', 'i2']) {
      const end = store.queue()
      await vi.runAllTimersAsync()
      await end
      store.pickUp([[imageOf('running', { id })]])
    }
    expect(keys.size).toBe(2)
  })

  test('does not call an image reused that an earlier click without a response has started', async () => {
    vi.useFakeTimers()
    let isOnline = false
    const { store, messages } = open({
      generate: () => (isOnline ? Promise.resolve([imageOf('succeeded')]) : Promise.reject(lost)),
    })
    store.show()
    const end = store.queue()
    await vi.runAllTimersAsync()
    await end
    isOnline = true
    await store.queue()
    expect(store.getState()).toMatchObject({ reusedIds: [], draft: { image: { id: 'i1' } } })
    expect(messages.at(-1)).toBe('Your image is ready.')
  })
})

describe('batch', () => {
  test('watches its images together, and chooses the first one unless the user chooses another', async () => {
    const { store, calls, messages, send, progress, draft } = await start(4)
    expect(calls).toEqual(['generate A diya', 'watch i1 i2 i3 i4'])
    await send(stateOf('i1', 'running'), { type: 'progress', id: 'i1', progress: 0.5 })
    expect(progress()).toMatchObject({
      images: [{ share: 0.5 }, { row: { state: 'queued' } }, {}, {}],
      chosenId: null,
    })
    await send(stateOf('i1', 'succeeded'), stateOf('i2', 'running'))
    store.choose('i1')
    expect(progress()?.chosenId).toBe('i1')
    await send(...['i2', 'i3', 'i4'].map((id) => stateOf(id, 'succeeded')))
    const batch = [{ id: 'i1' }, { id: 'i2' }, { id: 'i3' }, { id: 'i4' }]
    expect(store.getState()).toMatchObject({ running: [], draft: { image: { id: 'i1' }, batch } })
    store.choose('i3')
    expect(draft().image?.id).toBe('i3')
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
    await send(stateOf('i1', 'succeeded'), stateOf('i2', 'failed', { failure: 'engine_failed' }))
    await isDone(store)
    expect(alerts()).toEqual([])
    show()
    await vi.waitFor(() => expect(alerts()).toHaveLength(1))
  })

  test('cancels all unfinished images, queued ones first, and keeps those that are ready', async () => {
    const { store, callsOf, messages, send, draft } = await start(4, {
      cancel: (id) => (id === 'i3' ? gone() : Promise.resolve(imageOf('canceled', { id }))),
    })
    await send(stateOf('i1', 'succeeded'), stateOf('i2', 'running'))
    await store.cancel(store.getState().shown ?? '')
    expect(callsOf('cancel')).toEqual(['cancel i3', 'cancel i4', 'cancel i2'])
    expect(store.getState().failure).toBe(null)
    await send(stateOf('i3', 'canceled'))
    await isDone(store)
    expect(draft()).toMatchObject({ image: { id: 'i1' }, batch: [{ id: 'i1' }] })
    expect(messages.at(-1)).toBe('1 of 4 images are ready.')
  })

  test('keeps watching the other images if one is deleted in another tab', async () => {
    const { store, calls, send, remove } = await start(3)
    await send(stateOf('i1', 'succeeded'), stateOf('i3', 'running'))
    store.choose('i3')
    await remove('i2')
    await vi.waitFor(() => expect(calls.at(-1)).toBe('watch i3'))
    expect(store.getState()).toMatchObject({
      running: [{ chosenId: 'i3' }],
      draft: { awaited: [['i1', 'i3']] },
    })
    await send(stateOf('i3', 'succeeded'))
    const draft = { image: { id: 'i3' }, batch: [{ id: 'i1' }, { id: 'i3' }] }
    expect(store.getState()).toMatchObject({ running: [], failure: null, draft })
  })

  test('goes on without an image that is deleted before the others are ready', async () => {
    const { store, send, draft } = await start(2)
    await send(stateOf('i1', 'succeeded'))
    store.remove('i1')
    await send(stateOf('i2', 'succeeded'))
    expect(draft()).toMatchObject({ image: { id: 'i2' }, batch: [], awaited: [] })
  })

  test('keeps the images that are ready if all others were deleted in another tab', async () => {
    const { store, send, remove } = await start(3)
    await send(stateOf('i1', 'succeeded'))
    await remove('i2', 'i3')
    expect(store.getState()).toMatchObject({ failure: null, draft: { image: { id: 'i1' }, awaited: [] } })
  })
})

describe('subscription', () => {
  test('reopens after a lost connection, and announces it', async () => {
    vi.useFakeTimers()
    const { callsOf, messages, send, watcher, progress } = await start()
    await send(stateOf('i1', 'running'))
    watcher()?.onConnectionStateChange({ state: 'connecting', error: lost })
    expect(progress()?.isDisconnected).toBe(true)
    watcher()?.onConnectionStateChange({ state: 'pending', error: null })
    expect(progress()?.isDisconnected).toBe(false)
    for (const delayMs of [3_000, 6_000, 15_000, 15_000]) {
      const before = callsOf('watch').length
      watcher()?.onError(lost)
      await vi.advanceTimersByTimeAsync(delayMs - 1)
      expect(callsOf('watch')).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(callsOf('watch')).toHaveLength(before + 1)
      watcher()?.onConnectionStateChange({ state: 'connecting', error: null })
      expect(progress()?.isDisconnected).toBe(true)
    }
    watcher()?.onConnectionStateChange({ state: 'pending', error: null })
    watcher()?.onError(lost)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(callsOf('watch')).toHaveLength(6)
    await send(stateOf('i1', 'succeeded'))
    expect(progress()).toBe(undefined)
    expect(messages).toContain('The connection was lost and is being restored.')
  })

  /** Opens the form with images that an earlier page has started. */
  function reload(...awaited: string[][]) {
    const opened = open()
    opened.store.change({ awaited })
    opened.store.show()
    return opened
  }

  test('joins all images of a batch after a reload, and reopens for unfinished ones only', async () => {
    vi.useFakeTimers()
    const { callsOf, send, watcher, progress } = reload(['i1', 'i2', 'i3'])
    await send(stateOf('i1', 'succeeded'), stateOf('i2', 'running'))
    expect(progress()?.images.map((image) => resultOf(image)?.id)).toEqual(['i1', undefined, undefined])
    watcher()?.onError(lost)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(callsOf('watch')).toEqual(['watch i1 i2 i3', 'watch i2 i3'])
  })

  test.each([
    ['queued', 0],
    ['running', 1],
  ] as const)('alerts the failure of an image of an earlier page that was %s (%i)', async (state, count) => {
    const { store, calls, alerts, send } = reload(['i1'])
    await send(stateOf('i1', state), stateOf('i1', 'failed', { failure: 'interrupted' }))
    expect(calls).toEqual(['watch i1'])
    const failure = { message: errors.interrupted.message }
    expect(store.getState()).toMatchObject({ running: [], failure, draft: { awaited: [] } })
    expect(alerts()).toHaveLength(count)
  })

  test.each([
    ['not_found', null, []],
    ['not_signed_in', { needsSignIn: true }, [['i1']]],
  ] as const)('ends after %s without an alert', async (reason, failure, awaited) => {
    const { store, alerts, watcher, remove } = reload(['i1'])
    if (reason === 'not_found') await remove('i1')
    else watcher()?.onError(rejection(reason))
    expect(store.getState()).toMatchObject({ running: [], failure, draft: { awaited } })
    expect(alerts()).toEqual([])
  })

  test('picks up an image of another tab with its prompt, but not again once it has finished', async () => {
    const { store, calls, send, draft } = open()
    store.change({ prompt: '' })
    store.pickUp([[imageOf('running')]])
    await send(stateOf('i1', 'succeeded'))
    expect(draft()).toMatchObject({ image: { id: 'i1' }, prompt: 'A diya' })
    store.pickUp([[imageOf('running')]])
    expect(calls).toEqual(['watch i1'])
  })
})

describe('several requests', () => {
  /** Starts one request, queues another, and returns what tells their events apart. */
  async function startTwo() {
    let number = 0
    const opened = open({
      generate: ({ prompt }) => Promise.resolve([imageOf('queued', { id: `i${(number += 1)}`, prompt })]),
    })
    opened.store.show()
    void opened.store.queue()
    await vi.waitFor(() => expect(opened.draft().awaited).toEqual([['i1']]))
    opened.store.change({ prompt: 'Two diyas' })
    void opened.store.queue()
    await vi.waitFor(() => expect(opened.draft().awaited).toEqual([['i1'], ['i2']]))
    return opened
  }

  test('run at once, with one subscription, and the first stays on the stage', async () => {
    const { store, calls, send, draft } = await startTwo()
    expect(calls).toEqual(['generate A diya', 'watch i1', 'generate Two diyas', 'watch i1 i2'])
    const [first, second] = store.getState().running
    expect(store.getState().shown).toBe(first?.key)
    await send(stateOf('i2', 'succeeded'))
    expect(store.getState()).toMatchObject({ running: [{ key: first?.key }], draft: { image: null } })
    expect(second?.prompt).toBe('Two diyas')
    await send(stateOf('i1', 'succeeded'))
    await isDone(store)
    expect(store.getState()).toMatchObject({ shown: null, draft: { image: { id: 'i1' }, awaited: [] } })
    expect(draft().prompt).toBe('Two diyas')
  })

  test('keep an image that the user looks at, and give the stage of a failed one to the next', async () => {
    const looking = await startTwo()
    looking.store.select(next)
    await looking.send(stateOf('i1', 'succeeded'))
    expect(looking.draft().image?.id).toBe('i2')
    const failing = await startTwo()
    await failing.send(stateOf('i1', 'failed', { failure: 'engine_failed' }))
    const { running, shown } = failing.store.getState()
    expect(running).toMatchObject([{ key: shown, prompt: 'Two diyas' }])
  })

  test('are canceled one by one, and joined together after a reload', async () => {
    const { store, callsOf } = await startTwo()
    await store.cancel(store.getState().running[1]?.key ?? '')
    expect(callsOf('cancel')).toEqual(['cancel i2'])
    const reloaded = open()
    reloaded.store.change({ awaited: [['i1'], ['i2']] })
    reloaded.store.show()
    expect(reloaded.calls).toEqual(['watch i1 i2'])
    expect(reloaded.draft().awaited).toEqual([['i1'], ['i2']])
  })
})

const image = imageOf('succeeded') as SucceededImage
const next = imageOf('succeeded', { id: 'i2' }) as SucceededImage

test('removes a deleted image from the draft, its batch and its options', () => {
  const { store, draft } = open()
  store.change({ image, batch: [image, next] })
  store.changeOptions({ seed: 7, references: [next], mask: next })
  store.remove('i2')
  const options = { ...defaultOptions, seed: 7 }
  expect(draft()).toMatchObject({ image: { id: 'i1' }, batch: [], options })
})

describe('sharing', () => {
  const shared = { name: 'Asha of the lake', prompt: 'A diya', image, batch: [image] }
  const options = { name: 'Asha of the lake', hidePrompt: false, isSensitive: false }

  test.each<[string, Partial<Draft>]>([
    ['nothing', {}],
    ['typed', { prompt: 'A diya and a moth', options: { ...defaultOptions, seed: 7 }, awaited: [['i2']] }],
    ['generated', { name: 'Asha of the hills', image: next, batch: [next] }],
  ])('clears the shared parts of the draft, and keeps what was %s meanwhile', async (_, meanwhile) => {
    const post = { id: 'p1' } as Post
    const { store, draft } = open({
      async create() {
        store.change(meanwhile)
        return post
      },
    })
    store.change(shared)
    expect(await store.share(options)).toBe(post)
    expect(draft()).toEqual({ ...emptyDraft, ...meanwhile })
  })

  test('uses the prompt that made the image, and keeps other words for the next one', async () => {
    const create = vi.fn<Calls['create']>(() => Promise.resolve({ id: 'p1' } as Post))
    const { store, draft } = open({ create })
    const recipe = {} as Image['recipe']
    store.change({ ...shared, image: { ...image, recipe }, prompt: 'A diya in the snow' })
    await store.share(options)
    expect(create).toHaveBeenCalledWith(expect.objectContaining({ prompt: 'A diya' }))
    expect(draft()).toMatchObject({ image: null, prompt: 'A diya in the snow' })
  })

  test('ignores a second click, and keeps the draft with an alert if the server rejects it', async () => {
    const create = vi.fn(() => Promise.reject(rejection('post_limit')))
    const { store, messages } = open({ create })
    store.change(shared)
    const ends = [store.share(options), store.share(options)]
    expect(store.getState().isSharing).toBe(true)
    expect(await Promise.all(ends)).toEqual([null, null])
    expect(create).toHaveBeenCalledOnce()
    expect(store.getState()).toMatchObject({ isSharing: false, draft: { image: { id: 'i1' } } })
    expect(messages).toEqual(['alert: No: post_limit.'])
  })
})
