import { describe, expect, test } from 'vitest'
import {
  allCapabilities,
  createFailingEngine,
  createInstantEngine,
  plainJpeg,
} from '../../../test/support/engine.ts'
import { createScriptedEngine, expectState, imageRows } from '../../../test/support/generations.ts'
import { startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { forEachTransport, transports } from '../../../test/support/transports.ts'
import { AppError } from '../../errors/app-error.ts'

const capable = { id: 'capable', label: 'Capable', capabilities: allCapabilities }
const models = () => Promise.resolve({ models: ['large', 'small'] })

/** Starts a server with an engine without options, the default, and one that supports everything. */
function startWithEngines() {
  return startTestServer({
    engines: [createInstantEngine({ label: 'Plain' }), createInstantEngine({ ...capable, check: models })],
  })
}

async function latest(user: TestUser) {
  const { images } = await user.trpc.images.list.query()
  return images[0]
}

async function upload(user: TestUser, text: string): Promise<string> {
  const { id } = await user.trpc.images.upload.mutate(new Blob([new Uint8Array(await plainJpeg(text))]))
  return id
}

describe.each(transports)('options of a generation through $name', (transport) => {
  test('choose the engine, the first one by default', async () => {
    const server = await startWithEngines()
    const asha = await server.signUp()
    await transport.generate(server, { prompt: 'A lotus' }, asha)
    expect(await latest(asha)).toMatchObject({ engine: 'rangoli', engineKind: 'rangoli', model: 'instant' })
    await transport.generate(server, { prompt: 'A lotus', engine: 'capable' }, asha)
    expect(await latest(asha)).toMatchObject({ engine: 'capable', engineKind: 'rangoli' })
  })

  test('are sent to the engine and stored with the image', async () => {
    const { engine, waitForJob } = createScriptedEngine({ ...capable, check: models })
    const server = await startTestServer({ engine })
    const asha = await server.signUp()
    const reference = await upload(asha, 'a reference')
    const mask = await upload(asha, 'a mask')
    const options = {
      model: 'small',
      size: '1216x832',
      seed: 4_294_967_295,
      negativePrompt: 'text',
      referenceImageIds: [reference],
      strength: 0.4,
    }
    const result = transport.generate(server, { prompt: 'A lotus', ...options, maskImageId: mask }, asha)
    const job = await waitForJob('A lotus')
    const { imageId, ...request } = job.request
    expect(request).toEqual({
      prompt: 'A lotus',
      model: 'small',
      size: { width: 1_216, height: 832 },
      seed: 4_294_967_295,
      negativePrompt: 'text',
      references: [expect.any(Uint8Array)],
      mask: expect.any(Uint8Array),
      strength: 0.4,
      isResumed: false,
    })
    await job.finish(undefined, { model: 'small.safetensors', steps: 20, sampler: 'Euler', cfgScale: 7.5 })
    expect(await result).toMatchObject({ error: null })
    expect(await latest(asha)).toMatchObject({
      id: imageId,
      recipe: {
        ...options,
        engine: 'capable',
        engineLabel: 'Capable',
        model: 'small.safetensors',
        prompt: 'A lotus',
        steps: 20,
        sampler: 'Euler',
        scheduler: null,
        cfgScale: 7.5,
        remixOf: null,
      },
    })
    const { images } = await asha.trpc.account.export.query()
    expect(images[0]?.recipe).toEqual((await latest(asha))?.recipe)
  })

  test('include the post that an image is a remix of, if visitors see it', async () => {
    const server = await startWithEngines()
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const { id: imageId } = await asha.generate('A lotus')
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId })
    await transport.generate(server, { prompt: 'A kite', remixOf: post.id }, ravi)
    expect((await latest(ravi))?.recipe).toMatchObject({ remixOf: post.id })
    await server.services.db.updateTable('posts').set({ hidden_at: 1 }).execute()
    for (const remixOf of [post.id, 'nowhere']) {
      expect(await transport.generate(server, { prompt: 'A kite', remixOf }, ravi)).toMatchObject({
        status: 404,
        error: 'Post not found.',
      })
    }
  })

  test('can’t refer to images of others, unfinished or hidden ones', async () => {
    const { engine, waitForJob } = createScriptedEngine(capable)
    const server = await startTestServer({ engine })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const generate = (id: string, key = 'referenceImageIds') =>
      transport.generate(server, { prompt: 'A lotus', [key]: key === 'maskImageId' ? id : [id] }, asha)
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'Unfinished' })
    const unfinished = images[0]?.id ?? ''
    expect(await generate(unfinished)).toMatchObject({
      status: 400,
      error: 'A reference image must be finished.',
    })
    await (await waitForJob('Unfinished')).finish()
    await expectState(asha, unfinished, { state: 'succeeded' })
    await server.services.db
      .updateTable('images')
      .set({ hidden_at: 1 })
      .where('id', '=', unfinished)
      .execute()
    expect(await generate(unfinished)).toMatchObject({ status: 400 })
    expect(await generate(await upload(ravi, 'not yours'))).toMatchObject({
      status: 404,
      error: 'Image not found.',
    })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('fail with a refund if a reference image is deleted before it is needed', async () => {
    const { engine, waitForJob, jobs } = createScriptedEngine(capable)
    const server = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const reference = await upload(asha, 'a reference')
    await ravi.trpc.images.generate.mutate({ prompt: 'Before' })
    const before = await waitForJob('Before')
    const result = transport.generate(server, { prompt: 'Waits', referenceImageIds: [reference] }, asha)
    await expect.poll(() => asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
    await asha.trpc.images.delete.mutate({ id: reference })
    await before.finish()
    expect(await result).toMatchObject({ status: 404, error: 'A reference image has been deleted.' })
    expect(await latest(asha)).toMatchObject({
      failure: 'not_found',
      failureDetail: 'A reference image has been deleted.',
    })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    expect(jobs).toHaveLength(1)
  })

  test('return the image of a retry whose reference image was deleted since', async () => {
    const server = await startTestServer({ engine: { ...createInstantEngine(), ...capable } })
    const asha = await server.signUp()
    const reference = await upload(asha, 'a reference')
    const input = { prompt: 'A lotus', referenceImageIds: [reference] }
    const generate = (requestKey: string) => transport.generate(server, input, asha, requestKey)
    const first = await generate('press-1')
    expect(first).toMatchObject({ error: null })
    await asha.trpc.images.delete.mutate({ id: reference })
    expect(await generate('press-1')).toEqual(first)
    expect(await generate('press-2')).toMatchObject({ status: 404, error: 'Image not found.' })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('report what an engine says about a failure, and keep the other engines usable', async () => {
    const message = 'The model lotus.safetensors is missing.'
    const server = await startTestServer({
      engines: [
        createInstantEngine(),
        { ...createFailingEngine(new AppError('engine_misconfigured', message)), id: 'broken' },
      ],
    })
    const asha = await server.signUp()
    expect(await transport.generate(server, { prompt: 'A lotus', engine: 'broken' }, asha)).toMatchObject({
      status: 502,
      error: message,
    })
    expect(await latest(asha)).toMatchObject({ failure: 'engine_misconfigured', failureDetail: message })
    expect(await transport.generate(server, { prompt: 'A lotus' }, asha)).toMatchObject({ error: null })
    expect(await latest(asha)).toMatchObject({ failureDetail: null })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })
})

const badInputs = [
  { input: { engine: 'nowhere' }, error: 'This site has no image engine "nowhere".' },
  { input: { engine: 7 }, error: '`engine` must be a string.' },
  { input: { model: 'huge' }, error: 'Plain has no model "huge".' },
  { input: { engine: 'capable', model: 'huge' }, error: 'Capable has no model "huge".' },
  {
    input: { size: '512x512' },
    error: 'Plain does not support the size 512x512. Choose one of 1024x1024.',
  },
  {
    input: { engine: 'capable', size: '1025x1024' },
    error:
      'Capable does not support the size 1025x1024. Choose one of 1024x1024, 1216x832, or one with sides of 64 to 2048 pixels, in multiples of 8.',
  },
  {
    input: { size: 'large' },
    error: 'The size must be a width and a height in pixels, such as 1024x768.',
  },
  { input: { size: '0x0' }, error: 'The size must be a width and a height in pixels, such as 1024x768.' },
  { input: { seed: 1 }, error: 'Plain does not support seeds.' },
  { input: { seed: -1 }, error: 'The seed must be a whole number from 0 to 4294967295.' },
  { input: { seed: 4_294_967_296 }, error: 'The seed must be a whole number from 0 to 4294967295.' },
  { input: { seed: 0.5 }, error: 'The seed must be a whole number from 0 to 4294967295.' },
  { input: { negativePrompt: 'text' }, error: 'Plain does not support negative prompts.' },
  {
    input: { engine: 'capable', negativePrompt: 'x'.repeat(4_001) },
    error: 'A negative prompt may have at most 4,000 characters.',
  },
  { input: { referenceImageIds: ['a'] }, error: 'Plain does not support reference images.' },
  {
    input: { engine: 'capable', referenceImageIds: ['a', 'b', 'c'] },
    error: 'Capable supports at most 2 reference images.',
  },
  {
    input: { referenceImageIds: ['a', 'b', 'c', 'd', 'e'] },
    error: 'The reference images must be a list of at most 4 ids of images.',
  },
  { input: { engine: 'capable', strength: 0.5 }, error: 'A strength requires a reference image.' },
  { input: { strength: 0.5 }, error: 'Plain does not support a strength.' },
  { input: { engine: 'capable', strength: 1.5 }, error: 'The strength must be a number from 0 to 1.' },
  { input: { engine: 'capable', maskImageId: 'a' }, error: 'A mask requires a reference image.' },
  { input: { maskImageId: 'a' }, error: 'Plain does not support masks.' },
]

test.each(forEachTransport(badInputs))(
  'rejects $input through $transport.name, uncounted',
  async ({ transport, input, error }) => {
    const plain = { label: 'Plain', capabilities: noCapabilities }
    const server = await startTestServer({
      engines: [createInstantEngine(plain), createInstantEngine({ ...capable, check: models })],
    })
    const asha = await server.signUp()
    expect(await transport.generate(server, { prompt: 'A lotus', ...input }, asha)).toMatchObject({
      status: 400,
      error,
    })
    expect(await imageRows(server)).toEqual([])
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  },
)

const noCapabilities = {
  ...allCapabilities,
  sizes: ['1024x1024'] as const,
  customSizes: null,
  seed: false,
  negativePrompt: false,
  count: 1,
  referenceImages: 0,
  strength: false,
  mask: false,
}

test('treats null as absent', async () => {
  const server = await startWithEngines()
  const asha = await server.signUp()
  const absent = { engine: null, model: null, size: null, count: null, seed: null, negativePrompt: null }
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus', ...absent })
  expect(images).toMatchObject([{ engine: 'rangoli', recipe: { size: null, negativePrompt: '' } }])
})

test('reports what is known of images from before recipes were stored', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  await asha.generate('A lotus')
  const { db } = server.services
  await db.updateTable('images').set({ recipe: null, engine_kind: null }).execute()
  expect(await latest(asha)).toMatchObject({
    engineKind: 'rangoli',
    recipe: {
      engine: 'rangoli',
      engineLabel: '',
      model: 'instant',
      prompt: 'A lotus',
      negativePrompt: '',
      size: '64x48',
      seed: null,
      steps: null,
      referenceImageIds: [],
      remixOf: null,
    },
  })
})
