import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { transports, forEachTransport } from '../../../test/support/transports.ts'
import { follow } from '../../../test/support/generations.ts'
import { createHeldEngine, engineFacts, plainJpeg } from '../../../test/support/engine.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'

/** Creates an engine with the given `generate`. */
function createEngine(generate: ImageEngine['generate']): ImageEngine {
  return { ...engineFacts, model: 'custom', generate }
}

describe('a generation', () => {
  const server = shareTestServer()

  test('returns a queued image immediately, and reports its states until it is stored', async () => {
    const asha = await server().signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: '  A lotus\nat dawn ' })
    expect(images).toMatchObject([
      { prompt: 'A lotus at dawn', state: 'queued', failure: null, photo: null, startedAt: null },
    ])
    const id = images[0]?.id ?? ''
    const image = await follow(asha.trpc, { id }).ended
    expect(image).toMatchObject({
      id,
      prompt: 'A lotus at dawn',
      state: 'succeeded',
      failure: null,
      width: 64,
      height: 48,
      engine: 'rangoli',
      model: 'instant',
      photo: expect.stringMatching(/^\/uploads\//),
      startedAt: expect.stringMatching(/Z$/),
    })
    expect((await asha.trpc.images.list.query()).images).toEqual([{ ...image, posts: [] }])
    expect(await asha.trpc.images.get.query({ id })).toEqual(image)
  })

  test('keeps the pixels of the engine’s JPEG', async () => {
    const asha = await server().signUp()
    const { photo } = await asha.generate('Pixel for pixel')
    const served = Buffer.from(
      await (await server().request(photo, { headers: server().headersOf(asha) })).arrayBuffer(),
    )
    const [stored, generated] = [served, await plainJpeg('Pixel for pixel')].map((jpeg) => sharp(jpeg).raw())
    expect((await stored?.toBuffer())?.equals((await generated?.toBuffer()) ?? Buffer.of())).toBe(true)
  })
})

test('reports the position in the queue', async () => {
  const { engine, held } = createHeldEngine()
  const server = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
  const [asha, ravi, meera] = [await server.signUp(), await server.signUp(), await server.signUp()]
  await follow(asha.trpc, { prompt: 'first' }).seen('running')
  const second = follow(ravi.trpc, { prompt: 'second' })
  expect((await second.seen('queued')).image).toMatchObject({ prompt: 'second', startedAt: null })
  expect(await second.seen('queue')).toMatchObject({ position: 0 })
  const third = follow(meera.trpc, { prompt: 'third' })
  expect(await third.seen('queue')).toMatchObject({ position: 1 })
  held[0]?.release()
  expect((await second.seen('running')).image.startedAt).not.toBeNull()
  expect(await third.seen('queue', 1)).toMatchObject({ position: 0 })
})

describe('rejects an invalid prompt', () => {
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
    expect((await asha.trpc.images.list.query()).images).toEqual([])
  })

  test.each(transports)('$name rejects a body that is not an object', async ({ addresses }) => {
    for (const body of ['{"prompt":', '[]', 'null', '"lotus"', '5', '']) {
      const response = await server().postJson(addresses.generate, body, asha)
      expect(response.status).toBe(400)
    }
  })
})

describe('a failing engine', () => {
  const failed = { status: 502, error: 'The image could not be generated. Try again.' }
  const late = { status: 504, error: 'The image took too long to generate. Try again.' }
  const forever: ImageEngine['generate'] = async function* (_, signal) {
    yield { type: 'partial', bytes: await plainJpeg('preview') }
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }

  test.each(
    forEachTransport<{ name: string; generate: ImageEngine['generate']; expected: object; failure: string }>([
      {
        name: 'that throws',
        generate: () => {
          throw new Error('secret-key-123 was rejected')
        },
        expected: failed,
        failure: 'engine_failed',
      },
      {
        name: 'that throws after a preview',
        generate: async function* () {
          yield { type: 'partial', bytes: await plainJpeg('preview') }
          throw new Error('secret-key-123 was rejected')
        },
        expected: failed,
        failure: 'engine_failed',
      },
      {
        name: 'that ends without an image',
        generate: async function* () {},
        expected: failed,
        failure: 'engine_failed',
      },
      {
        name: 'that returns no image',
        generate: async function* () {
          yield { type: 'complete', bytes: await Promise.resolve(Buffer.from('<svg/>')) }
        },
        expected: failed,
        failure: 'engine_failed',
      },
      { name: 'that never ends', generate: forever, expected: late, failure: 'engine_timeout' },
    ]),
  )(
    'refunds the quota for an engine $name, through $transport.name',
    async ({ transport, generate, expected, failure }) => {
      const server = await startTestServer({
        engine: createEngine(generate),
        env: { IMAGE_TIMEOUT_SECONDS: '1' },
      })
      const asha = await server.signUp()
      expect(await transport.generate(server, { prompt: 'A lotus' }, asha)).toMatchObject(expected)
      expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
      expect(await asha.trpc.images.list.query()).toMatchObject({
        images: [{ state: 'failed', failure, photo: null }],
      })
    },
  )
})
