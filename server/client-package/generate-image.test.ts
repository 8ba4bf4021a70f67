import { describe, expect, test, vi } from 'vitest'
import { allCapabilities, plainJpeg } from '../../test/support/engine.ts'
import { createGate } from '../../test/support/gate.ts'
import { createScriptedEngine, eventually, expectState } from '../../test/support/generations.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { AppError } from '../errors/app-error.ts'
import {
  createRangoliClient,
  generateImage,
  GenerationError,
  isRangoliError,
  type ErrorCode,
  type GenerationEvent,
  type Image,
  type RangoliOptions,
} from './rangoli-client.ts'

const { engine, jobs, waitForJob } = createScriptedEngine({ ...allCapabilities, isDeterministic: false })
const server = shareTestServer({ engine, env: { IMAGE_CONCURRENCY: '4' } })

/** Creates a client with an API key of a new user that may only generate images. */
async function openClient(fetch?: RangoliOptions['fetch']) {
  const user = await server().signUp()
  const { key } = await user.trpc.account.apiKeys.create.mutate({ name: 'Program', scopes: ['generate'] })
  return { user, rangoli: createRangoliClient({ url: `${server().url}/a/path`, token: key, fetch }) }
}

/** Starts a generation with a client of its own. */
async function start(prompt: string, fetch?: RangoliOptions['fetch']) {
  const { user, rangoli } = await openClient(fetch)
  return { user, generation: generateImage(rangoli, { prompt }) }
}

const isGenerate = (address: string | URL | Request) => new Request(address).url.includes('images.generate')
const isWatch = (address: string | URL | Request) => new Request(address).url.includes('images.watch')

const ownImages = async ({ trpc }: TestUser) => (await trpc.images.list.query()).images

/** Returns the label of an event: its state, or its type. */
const labelOf = (event: GenerationEvent) => (event.type === 'state' ? event.image.state : event.type)

async function readAll(events: AsyncIterable<GenerationEvent>): Promise<GenerationEvent[]> {
  const all: GenerationEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

test('resolves to the image, whose URL serves its file', async () => {
  const { generation } = await start('A lotus')
  await (await waitForJob('A lotus')).finish()
  const { image, images, failures } = await generation
  expect(image).toMatchObject({ prompt: 'A lotus', state: 'succeeded', width: 64, height: 48 })
  expect({ images, failures }).toEqual({ images: [image], failures: [] })
  expect(image.url).toMatch(`${server().url}/v1/images/${image.id}.jpeg?expires=`)
  const file = await fetch(image.url)
  expect(file.headers.get('content-type')).toBe('image/jpeg')
  expect(file.headers.get('access-control-allow-origin')).toBe('*')
})

describe('the iteration', () => {
  test('yields states, progress and previews while they happen, then the finished image', async () => {
    const { generation } = await start('Seen from the start')
    const events = generation[Symbol.asyncIterator]()
    const labels: string[] = []
    const readUntil = async (label: string) => {
      while (labels.at(-1) !== label) {
        const { value } = (await events.next()) as { value: GenerationEvent }
        labels.push(labelOf(value))
      }
    }
    await readUntil('running')
    const job = await waitForJob('Seen from the start')
    job.progress(0.5)
    await readUntil('progress')
    job.preview(await plainJpeg('rough'))
    await readUntil('preview')
    await job.finish()
    await readUntil('finished')
    expect(await events.next()).toEqual({ done: true, value: undefined })
    expect(labels.slice(labels.indexOf('running')).filter((label) => label !== 'progress')).toEqual([
      'running',
      'preview',
      'succeeded',
      'finished',
    ])
    await expect(generation).resolves.toMatchObject({ image: { prompt: 'Seen from the start' } })
  })

  test('begins with the events so far if it begins late, and may be repeated', async () => {
    const { generation } = await start('Read late')
    const first = readAll(generation)
    const job = await waitForJob('Read late')
    job.preview(await plainJpeg('rough'))
    await job.finish()
    const { image } = await generation
    expect((await first).map(labelOf)).toEqual(expect.arrayContaining(['running', 'preview', 'succeeded']))
    const late = await readAll(generation)
    expect(late.map(labelOf)).not.toContain('preview')
    expect(late.map(labelOf).slice(-3)).toEqual(['running', 'succeeded', 'finished'])
    expect(late.at(-1)).toEqual({ type: 'finished', image })
  })

  test('keeps only the latest progress for a reader that is slow', async () => {
    const { generation } = await start('Read slowly')
    const events = generation[Symbol.asyncIterator]()
    await events.next()
    const job = await waitForJob('Read slowly')
    for (let step = 1; step <= 50; step += 1) job.progress(step / 100)
    await job.finish()
    await generation
    const rest = await readAll({ [Symbol.asyncIterator]: () => events })
    expect(rest.filter(({ type }) => type === 'progress').length).toBeLessThanOrEqual(1)
    expect(labelOf(rest.at(-1) as GenerationEvent)).toBe('finished')
  })

  test('throws the failure, as the promise does', async () => {
    const { generation } = await start('Fails while read')
    const labels: string[] = []
    const read = async () => {
      for await (const event of generation) labels.push(labelOf(event))
    }
    const reading = read()
    ;(await waitForJob('Fails while read')).fail(new AppError('engine_busy', undefined, { retryAfter: 7 }))
    const failure = await reading.catch((error: unknown) => error)
    expect(labels.at(-1)).toBe('failed')
    expect(failure).toBeInstanceOf(GenerationError)
    expect(failure).toMatchObject({
      name: 'GenerationError',
      message: 'The image service is busy. Try again in a moment.',
      reason: 'engine_busy',
      retryAfter: 7,
      image: { prompt: 'Fails while read', state: 'failed' },
    })
    await expect(generation).rejects.toBe(failure)
  })
})

describe('a batch', () => {
  async function runBatch(prompt: string, failed: number) {
    const { rangoli } = await openClient()
    const generation = generateImage(rangoli, { prompt, count: 3, seed: 5 })
    generation.catch(() => {})
    const own = () => jobs.filter((job) => job.prompt === prompt)
    await eventually(() => own().length).toBe(3)
    // In the opposite order of their seeds.
    for (const [index, job] of own()
      .toSorted((one, other) => Number(other.request.seed) - Number(one.request.seed))
      .entries()) {
      if (index < failed) job.fail(new AppError('prompt_blocked', 'Not this one.'))
      else await job.finish()
    }
    return generation
  }

  test('resolves to the images that succeeded, with the failures of the others', async () => {
    const { images, failures } = await runBatch('Two of three', 1)
    expect(images.map(({ recipe }) => recipe?.seed)).toEqual([5, 6])
    expect(failures).toMatchObject([{ reason: 'prompt_blocked', message: 'Not this one.' }])
  })

  test('rejects if all images failed', async () => {
    await expect(runBatch('None of three', 3)).rejects.toMatchObject({
      name: 'GenerationError',
      reason: 'prompt_blocked',
      image: { recipe: { seed: 5 } },
    })
  })
})

describe('a request', () => {
  test('that the site rejects is not sent again', async () => {
    const send = vi.fn<typeof fetch>(fetch)
    const { rangoli } = await openClient(send)
    const failure = await generateImage(rangoli, { prompt: ' ' }).catch((error: unknown) => error)
    expect(isRangoliError(failure) && failure.data).toMatchObject({ httpStatus: 400, reason: 'bad_input' })
    expect(send).toHaveBeenCalledTimes(1)
    const anonymous = createRangoliClient({ url: server().url, fetch: send })
    await expect(generateImage(anonymous, { prompt: 'A lotus' })).rejects.toMatchObject({
      data: { reason: 'not_signed_in' },
    })
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('whose response is lost is sent again, and generates one image', async () => {
    let lost = 0
    const { user, generation } = await start('Lost twice', async (address, init) => {
      const response = await fetch(address, init)
      if (!isGenerate(address) || lost === 2) return response
      lost += 1
      await response.body?.cancel()
      if (lost === 2) return new Response('<h1>Bad gateway</h1>', { status: 502 })
      throw new TypeError('The connection was lost.')
    })
    await (await waitForJob('Lost twice')).finish()
    const { image } = await generation
    expect(lost).toBe(2)
    expect(await ownImages(user)).toMatchObject([{ id: image.id }])
    expect(await user.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('with the request key of a finished generation resolves to its image', async () => {
    const send = vi.fn<typeof fetch>(fetch)
    const { user, rangoli } = await openClient(send)
    const input = { prompt: 'Asked for twice', requestKey: 'order-17' }
    const generation = generateImage(rangoli, input)
    await (await waitForJob('Asked for twice')).finish()
    const { image } = await generation
    send.mockClear()
    const again = generateImage(rangoli, input)
    expect((await readAll(again)).map(labelOf)).toEqual(['succeeded', 'finished'])
    expect((await again).image).toEqual({ ...image, url: expect.stringContaining(image.id) })
    // And the link.
    expect(send).toHaveBeenCalledTimes(2)
    expect(await ownImages(user)).toHaveLength(1)
  })

  test('to a site that is not reachable rejects with the error of the connection', async () => {
    const send = vi.fn<typeof fetch>(() => Promise.reject(new TypeError('fetch failed')))
    const rangoli = createRangoliClient({ url: 'http://127.0.0.1:9', token: 'x', fetch: send })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const result = generateImage(rangoli, { prompt: 'A lotus' }).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(30_000)
      expect(await result).toMatchObject({ name: 'TRPCClientError', message: 'fetch failed' })
    } finally {
      vi.useRealTimers()
    }
    const keys = send.mock.calls.map(([, init]) => /"requestKey":"(\w+)"/.exec(init?.body as string)?.[1])
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\da-f]{32}$/)
  })
})

test('subscribes again after a proxy rejected the subscription, and reports each state once', async () => {
  let rejected = 0
  const { generation } = await start('Behind a proxy', async (address, init) => {
    if (!isWatch(address) || rejected > 0) return fetch(address, init)
    rejected += 1
    return new Response('<h1>Bad gateway</h1>', { status: 502 })
  })
  const events = readAll(generation)
  await (await waitForJob('Behind a proxy')).finish()
  await generation
  expect(rejected).toBe(1)
  const states = (await events).filter(({ type }) => type === 'state').map(labelOf)
  expect(states).toEqual([...new Set(states)])
})

describe('an aborted signal', () => {
  test('rejects at once and cancels the generation', async () => {
    const { user, rangoli } = await openClient()
    const aborting = new AbortController()
    const generation = generateImage(rangoli, { prompt: 'Aborted' }, { signal: aborting.signal })
    const reading = readAll(generation).catch((error: unknown) => error)
    const { signal } = await waitForJob('Aborted')
    const reason = new Error('Changed my mind')
    aborting.abort(reason)
    await expect(generation).rejects.toBe(reason)
    expect(await reading).toBe(reason)
    await eventually(() => signal.aborted).toBe(true)
    await eventually(async () => (await ownImages(user))[0]?.state).toBe('canceled')
  })

  test('cancels a generation whose response had not arrived', async () => {
    const [sent, arrived] = [createGate(), createGate()]
    const { user, rangoli } = await openClient(async (address, init) => {
      const response = await fetch(address, init)
      if (isGenerate(address)) {
        sent.open()
        await arrived.opened
      }
      return response
    })
    const aborting = new AbortController()
    const generation = generateImage(rangoli, { prompt: 'Aborted early' }, { signal: aborting.signal })
    await sent.opened
    aborting.abort()
    await expect(generation).rejects.toMatchObject({ name: 'AbortError' })
    arrived.open()
    await eventually(async () => (await ownImages(user))[0]?.state).toBe('canceled')
  })
})

test('rejects with the reason `canceled` if the user cancels the generation elsewhere', async () => {
  const { user, generation } = await start('Canceled elsewhere')
  generation.catch(() => {})
  await waitForJob('Canceled elsewhere')
  const [image] = await ownImages(user)
  await user.trpc.images.cancel.mutate({ id: image?.id ?? '' })
  await expect(generation).rejects.toMatchObject({ reason: 'canceled', image: { state: 'canceled' } })
  await expectState(user, image?.id ?? '', { state: 'canceled' })
})

test('a failure with a code that only newer sites have is an error with this code', () => {
  const image = { failure: 'engine_on_strike' as ErrorCode, failureDetail: null } as Image
  expect(new GenerationError(image)).toMatchObject({
    reason: 'engine_on_strike',
    message: 'The image could not be generated: engine_on_strike.',
  })
})
