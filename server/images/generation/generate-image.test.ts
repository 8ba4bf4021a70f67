import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { GenerationEvent } from '../../../shared/images.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { transports, forEachTransport } from '../../../test/support/transports.ts'
import { createHeldEngine, plainJpeg } from '../../../test/support/engine.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'

async function eventsOf(asha: TestUser, prompt: string): Promise<GenerationEvent[]> {
  const events: GenerationEvent[] = []
  for await (const event of await asha.trpc.images.generate.mutate({ prompt })) events.push(event)
  return events
}

/** An engine that does as it is told, once per image. */
function engineThat(generate: ImageEngine['generate']): ImageEngine {
  return { name: 'rangoli', model: 'told', generate }
}

describe('a generation', () => {
  const server = shareTestServer()

  test('reports itself, and ends with the image', async () => {
    const asha = await server().signUp()
    const events = await eventsOf(asha, '  A lotus\nat dawn ')
    expect(events[0]).toMatchObject({ type: 'accepted' })
    expect(events.slice(1, -1).map(({ type }) => type)).not.toContain('ready')
    const last = events.at(-1)
    if (last?.type !== 'ready') throw new Error('The last event was another.')
    expect(last.image).toMatchObject({
      prompt: 'A lotus at dawn',
      state: 'ready',
      failure: null,
      width: 64,
      height: 48,
    })
    expect(last.image).toMatchObject({
      engine: 'rangoli',
      model: 'instant',
      photo: expect.stringMatching(/^\/uploads\//),
    })
    expect(events[0]).toMatchObject({ type: 'accepted', imageId: last.image.id })
    expect((await asha.trpc.images.mine.query()).images).toEqual([last.image])
  })

  test('keeps the pixels of the engine’s JPEG, and answers the stored bytes', async () => {
    const asha = await server().signUp()
    const { id, photo } = await asha.generate('Pixel for pixel')
    const served = Buffer.from(await (await server().request(photo)).arrayBuffer())
    const [stored, made] = [served, await plainJpeg('Pixel for pixel')].map((jpeg) => sharp(jpeg).raw())
    expect((await stored?.toBuffer())?.equals((await made?.toBuffer()) ?? Buffer.of())).toBe(true)
    expect(await asha.trpc.images.photo.query({ id })).toEqual({ photo: served.toString('base64') })
  })
})

test('waits in line, and says where', async () => {
  const { engine, held } = createHeldEngine()
  const server = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
  const [asha, ravi, meera] = [await server.signUp(), await server.signUp(), await server.signUp()]
  const first = (await asha.trpc.images.generate.mutate({ prompt: 'first' }))[Symbol.asyncIterator]()
  await first.next()
  const second = (await ravi.trpc.images.generate.mutate({ prompt: 'second' }))[Symbol.asyncIterator]()
  expect((await second.next()).value).toMatchObject({ type: 'accepted' })
  expect((await second.next()).value).toEqual({ type: 'queued', position: 0 })
  const third = (await meera.trpc.images.generate.mutate({ prompt: 'third' }))[Symbol.asyncIterator]()
  await third.next()
  expect((await third.next()).value).toEqual({ type: 'queued', position: 1 })
  held[0]?.release()
  expect((await second.next()).value).toMatchObject({ type: 'started' })
  expect((await third.next()).value).toEqual({ type: 'queued', position: 0 })
})

describe('a prompt that is none makes nothing', () => {
  const server = shareTestServer()
  const missing = 'Please provide a prompt'
  let asha: TestUser
  beforeAll(async () => {
    asha = await server().signUp()
  })

  test.each(
    forEachTransport<{ prompt: unknown; error: string }>([
      { prompt: undefined, error: missing },
      { prompt: '', error: missing },
      { prompt: ' \n\u00a0', error: missing },
      { prompt: '\u200b', error: missing },
      { prompt: null, error: missing },
      { prompt: 5, error: missing },
      { prompt: ['lotus'], error: missing },
      {
        prompt: '👩‍👩‍👧‍👦'.repeat(1_455),
        error:
          'A prompt may have at most 16,000 UTF-16 code units. Emoji and combined letters take several each: use fewer of them.',
      },
      { prompt: '🪔'.repeat(4_001), error: 'A prompt may have at most 4,000 characters.' },
    ]),
  )('$prompt through $transport.name', async ({ transport, prompt, error }) => {
    expect(await transport.generate(server(), { prompt }, asha)).toMatchObject({ status: 400, error })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    expect((await asha.trpc.images.mine.query()).images).toEqual([])
  })

  test.each(transports)('$name refuses a body that is no object', async ({ addresses }) => {
    for (const body of ['{"prompt":', '[]', 'null', '"lotus"', '5', '']) {
      const answer = await server().postJson(addresses.generate, body, asha)
      expect(answer.status).toBe(400)
    }
  })
})

describe('an engine that fails', () => {
  const failed = { status: 502, error: 'The image could not be generated. Try again.' }
  const late = { status: 504, error: 'The image took too long to generate. Try again.' }
  const forever: ImageEngine['generate'] = async function* (_, signal) {
    yield { type: 'partial', bytes: await plainJpeg('preview') }
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }

  test.each(
    forEachTransport<{ what: string; generate: ImageEngine['generate']; answer: object; failure: string }>([
      {
        what: 'by throwing',
        generate: () => {
          throw new Error('secret-key-123 was refused')
        },
        answer: failed,
        failure: 'engine_failed',
      },
      {
        what: 'half-way',
        generate: async function* () {
          yield { type: 'partial', bytes: await plainJpeg('preview') }
          throw new Error('secret-key-123 was refused')
        },
        answer: failed,
        failure: 'engine_failed',
      },
      {
        what: 'by ending without an image',
        generate: async function* () {},
        answer: failed,
        failure: 'engine_failed',
      },
      {
        what: 'with what is no image',
        generate: async function* () {
          yield { type: 'complete', bytes: await Promise.resolve(Buffer.from('<svg/>')) }
        },
        answer: failed,
        failure: 'engine_failed',
      },
      { what: 'by never ending', generate: forever, answer: late, failure: 'engine_timeout' },
    ]),
  )('$what costs nothing, through $transport.name', async ({ transport, generate, answer, failure }) => {
    const server = await startTestServer({
      engine: engineThat(generate),
      env: { IMAGE_TIMEOUT_SECONDS: '1' },
    })
    const asha = await server.signUp()
    expect(await transport.generate(server, { prompt: 'A lotus' }, asha)).toMatchObject(answer)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    expect(await asha.trpc.images.mine.query()).toMatchObject({
      images: [{ state: 'failed', failure, photo: null }],
    })
  })
})
