import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  allCapabilities,
  createFailingEngine,
  createHeldEngine,
  createInstantEngine,
  engineFacts,
  plainJpeg,
  uploadJpeg,
} from '../../../test/support/engine.ts'
import {
  createScriptedEngine,
  eventually,
  expectState,
  follow,
  imageRows,
} from '../../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { transports } from '../../../test/support/transports.ts'
import { defaultRequest, promptOnly, type ImageEngine } from '../../engines/image-engine.ts'
import { AppError } from '../../errors/app-error.ts'

const capable = { id: 'capable', label: 'Capable', capabilities: allCapabilities }
const incapable = {
  label: 'Plain',
  capabilities: { ...promptOnly, sizes: ['1024x1024'] as const, count: 1 },
}
const check = () => Promise.resolve({ models: ['large', 'small'] })

/** A site whose default engine has no options, and whose other one has all. */
const server = shareTestServer({
  engines: [createInstantEngine(incapable), createInstantEngine({ ...capable, check })],
})

async function start(engine: ImageEngine, env: Record<string, string> = {}) {
  const own = await startTestServer({ engine, env })
  const asha = await own.signUp()
  const generate = (input: object = {}) => asha.trpc.images.generate.mutate({ prompt: 'A lotus', ...input })
  const used = async () => (await asha.trpc.images.quota.query()).used
  return { own, asha, generate, used }
}

const latest = async (user: TestUser) => (await user.trpc.images.list.query()).images[0]

test('returns a queued image at once, then reports its states until its pixels are stored', async () => {
  const asha = await server().signUp()
  const { images } = await asha.trpc.images.generate.mutate({ prompt: '  A lotus\nat dawn ' })
  const prompt = 'A lotus at dawn'
  expect(images).toMatchObject([{ prompt, state: 'queued', failure: null, photo: null, startedAt: null }])
  const id = images[0]?.id ?? ''
  const image = await follow(asha.trpc, { id }).ended
  expect(image).toMatchObject({
    id,
    prompt,
    state: 'succeeded',
    failure: null,
    width: 64,
    height: 48,
    engine: 'rangoli',
    engineKind: 'rangoli',
    model: 'instant',
    photo: expect.stringMatching(/^\/uploads\//),
    startedAt: expect.stringMatching(/Z$/),
  })
  expect((await asha.trpc.images.list.query()).images).toEqual([{ ...image, posts: [] }])
  expect(await asha.trpc.images.get.query({ id })).toEqual(image)
  const served = await server().request(image.photo, { headers: server().headersOf(asha) })
  const [stored, generated] = await Promise.all(
    [await served.arrayBuffer(), await plainJpeg(prompt)].map((jpeg) => sharp(jpeg).raw().toBuffer()),
  )
  expect(stored).toEqual(generated)
})

const missing = 'Please provide a prompt'
const size = 'The size must be a width and a height in pixels, such as 1024x768.'
const seed = 'The seed must be a whole number from 0 to 4294967295.'
const count = 'The count must be a whole number from 1 to 4.'

test.each<[input: object, error: string]>([
  ...[undefined, '\u200b', null, 5].map((prompt): [object, string] => [{ prompt }, missing]),
  [
    { prompt: '👩‍👩‍👧‍👦'.repeat(1_455) },
    'A prompt may have at most 16,000 UTF-16 code units. Emoji and combined letters take several each: use fewer of them.',
  ],
  [{ prompt: '🪔'.repeat(4_001) }, 'A prompt may have at most 4,000 characters.'],
  [{ engine: 'nowhere' }, 'This site has no image engine "nowhere".'],
  [{ engine: 7 }, '`engine` must be a string.'],
  [{ engine: 'capable', model: 'huge' }, 'Capable has no model "huge".'],
  [{ size: '512x512' }, 'Plain does not support the size 512x512. Choose one of 1024x1024.'],
  [
    { engine: 'capable', size: '1025x1024' },
    'Capable does not support the size 1025x1024. Choose one of 1024x1024, 1216x832, or one with sides of 64 to 2048 pixels, in multiples of 8.',
  ],
  [{ size: 'large' }, size],
  ...[-1, 4_294_967_296].map((value): [object, string] => [{ seed: value }, seed]),
  [{ seed: 1 }, 'Plain does not support seeds.'],
  ...[0, 5, '2'].map((value): [object, string] => [{ count: value }, count]),
  [{ count: 2 }, 'Plain generates at most 1 image per request.'],
  [{ negativePrompt: 'text' }, 'Plain does not support negative prompts.'],
  [
    { engine: 'capable', negativePrompt: 'x'.repeat(4_001) },
    'A negative prompt may have at most 4,000 characters.',
  ],
  [{ referenceImageIds: ['a'] }, 'Plain does not support reference images.'],
  [{ engine: 'capable', referenceImageIds: ['a', 'b', 'c'] }, 'Capable supports at most 2 reference images.'],
  [
    { referenceImageIds: ['a', 'b', 'c', 'd', 'e'] },
    'The reference images must be a list of at most 4 ids of images.',
  ],
  [{ strength: 0.5 }, 'Plain does not support a strength.'],
  [{ engine: 'capable', strength: 0.5 }, 'A strength requires a reference image.'],
  [{ engine: 'capable', strength: 1.5 }, 'The strength must be a number from 0 to 1.'],
  [{ maskImageId: 'a' }, 'Plain does not support masks.'],
  [{ engine: 'capable', maskImageId: 'a' }, 'A mask requires a reference image.'],
])('rejects %j, uncounted', async (input, error) => {
  const asha = await server().signUp()
  const response = await server().postJson('/trpc/images.generate', { prompt: 'A lotus', ...input }, asha)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: error } })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  expect((await asha.trpc.images.list.query()).images).toEqual([])
})

describe('a failing engine', () => {
  const failed = { status: 502, error: 'The image could not be generated. Try again.' }

  test.each<[name: string, generate: ImageEngine['generate'], expected: object, failure: string]>([
    [
      'throws',
      () => {
        throw new Error('secret-key-123 was rejected')
      },
      failed,
      'engine_failed',
    ],
    ['ends without an image', async function* () {}, failed, 'engine_failed'],
    [
      'returns no image',
      async function* () {
        yield { type: 'complete', bytes: await Promise.resolve(Buffer.from('<svg/>')) }
      },
      failed,
      'engine_failed',
    ],
    [
      'never ends after a preview',
      async function* () {
        yield { type: 'partial', bytes: await plainJpeg('preview') }
        await new Promise(() => {})
      },
      { status: 504, error: 'The image took too long to generate. Try again.' },
      'engine_timeout',
    ],
  ])('that %s is reported, refunded, and does not hold up the next job', async (...row) => {
    const [, generate, expected, failure] = row
    const facts = { ...engineFacts, model: 'custom' }
    const instant = createInstantEngine()
    const engine: ImageEngine = {
      ...facts,
      generate: (request, signal) =>
        request.prompt === 'Behind' ? instant.generate(request, signal) : generate(request, signal),
    }
    const { own, asha, used } = await start(engine, { IMAGE_TIMEOUT_SECONDS: '1', IMAGE_CONCURRENCY: '1' })
    const results = transports.map((transport) => transport.generate(own, { prompt: 'A lotus' }, asha))
    for (const result of results) expect(await result).toMatchObject(expected)
    expect(await used()).toBe(0)
    expect(await latest(asha)).toMatchObject({ state: 'failed', failure, failureDetail: null, photo: null })
    await asha.generate('Behind')
  })

  test('is reported with its own message, which is stored', async () => {
    const message = 'The model lotus.safetensors is missing.'
    const engine = createFailingEngine(new AppError('engine_misconfigured', message))
    const { asha, generate } = await start(engine)
    const { images } = await generate()
    await expect(follow(asha.trpc, { id: images[0]?.id ?? '' }).ended).rejects.toMatchObject({ message })
    expect(await latest(asha)).toMatchObject({ failure: 'engine_misconfigured', failureDetail: message })
  })
})

describe('options of a generation', () => {
  test('are sent to the engine and stored with the image', async () => {
    const { engine, waitForJob } = createScriptedEngine({ ...capable, check })
    const { asha, generate } = await start(engine)
    const [reference, mask] = [await uploadJpeg(asha, 'a reference'), await uploadJpeg(asha, 'a mask')]
    const options = {
      model: 'small',
      size: '1216x832',
      seed: 4_294_967_295,
      negativePrompt: 'text',
      referenceImageIds: [reference],
      maskImageId: mask,
      strength: 0.4,
    }
    await generate(options)
    const job = await waitForJob('A lotus')
    const { imageId } = job.request
    expect(job.request).toEqual({
      ...defaultRequest(imageId, 'A lotus'),
      model: 'small',
      size: { width: 1_216, height: 832 },
      seed: 4_294_967_295,
      negativePrompt: 'text',
      references: [expect.any(Uint8Array)],
      mask: expect.any(Uint8Array),
      strength: 0.4,
    })
    await job.finish(undefined, { model: 'small.safetensors', steps: 20, sampler: 'Euler', cfgScale: 7.5 })
    await follow(asha.trpc, { id: imageId }).ended
    const recipe = {
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
    }
    expect(await latest(asha)).toMatchObject({ id: imageId, engineKind: 'rangoli', recipe })
    expect(await asha.trpc.account.export.query()).toMatchObject({ images: [{ recipe }, {}, {}] })
  })

  test('count as absent if they are null', async () => {
    const asha = await server().signUp()
    const absent = { engine: null, model: null, size: null, count: null, seed: null, negativePrompt: null }
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus', ...absent })
    expect(images).toMatchObject([{ engine: 'rangoli', recipe: { size: null, negativePrompt: '' } }])
  })

  test('include the post that an image is a remix of, if visitors see it', async () => {
    const [asha, ravi] = [await server().signUp(), await server().signUp()]
    const post = await asha.share('A lotus')
    const remix = (remixOf: string) => ravi.trpc.images.generate.mutate({ prompt: 'A kite', remixOf })
    expect(await remix(post.id)).toMatchObject({ images: [{ recipe: { remixOf: post.id } }] })
    await server().services.db.updateTable('posts').set({ hidden_at: 1 }).execute()
    for (const id of [post.id, 'nowhere'])
      await expect(remix(id)).rejects.toMatchObject({ message: 'Post not found.' })
  })

  test('can’t refer to images of others, unfinished or hidden ones', async () => {
    const { engine, waitForJob } = createScriptedEngine(capable)
    const { own, asha, generate, used } = await start(engine)
    const ravi = await own.signUp()
    const refer = (id: string) => generate({ referenceImageIds: [id] })
    const { images } = await generate({ prompt: 'Unfinished' })
    const unfinished = images[0]?.id ?? ''
    await expect(refer(unfinished)).rejects.toMatchObject({ message: 'A reference image must be finished.' })
    await (await waitForJob('Unfinished')).finish()
    await expectState(asha, unfinished, { state: 'succeeded' })
    await own.services.db.updateTable('images').set({ hidden_at: 1 }).execute()
    await expect(refer(unfinished)).rejects.toMatchObject({ data: { httpStatus: 400 } })
    const notFound = { message: 'Image not found.', data: { httpStatus: 404 } }
    const id = await uploadJpeg(ravi, 'not yours')
    await expect(refer(id)).rejects.toMatchObject(notFound)
    const mask = { referenceImageIds: [await uploadJpeg(asha, 'mine')], maskImageId: id }
    await expect(generate(mask)).rejects.toMatchObject(notFound)
    expect(await used()).toBe(1)
  })

  test('fail with a refund if a reference image is deleted before it is needed', async () => {
    const { engine, waitForJob, jobs } = createScriptedEngine(capable)
    const { own, asha, generate, used } = await start(engine, { IMAGE_CONCURRENCY: '1' })
    const ravi = await own.signUp()
    await ravi.trpc.images.generate.mutate({ prompt: 'Before' })
    const before = await waitForJob('Before')
    const id = await uploadJpeg(asha, 'a reference')
    const { images } = await generate({ referenceImageIds: [id] })
    await asha.trpc.images.delete.mutate({ id })
    await before.finish()
    const failureDetail = 'A reference image has been deleted.'
    await expectState(asha, images[0]?.id ?? '', { state: 'failed', failure: 'not_found', failureDetail })
    expect(await used()).toBe(0)
    expect(jobs).toHaveLength(1)
  })

  test('are reported as far as they are known for images from before recipes were stored', async () => {
    const asha = await server().signUp()
    const { id } = await asha.generate('A lotus')
    const legacy = { recipe: null, engine_kind: null }
    await server().services.db.updateTable('images').set(legacy).where('id', '=', id).execute()
    expect(await latest(asha)).toMatchObject({
      engineKind: 'rangoli',
      recipe: { engine: 'rangoli', engineLabel: '', model: 'instant', prompt: 'A lotus', size: '64x48' },
    })
  })
})

const seedsOf = (images: readonly { recipe: { seed: number | null } | null }[]) =>
  images.map(({ recipe }) => recipe?.seed)

describe('a batch', () => {
  test('is one image per count, each counted, with consecutive seeds', async () => {
    const { generate, used } = await start(createInstantEngine(capable))
    const { images } = await generate({ count: 3, seed: 4_294_967_294 })
    expect(seedsOf(images)).toEqual([4_294_967_294, 4_294_967_295, 0])
    expect(await used()).toBe(3)
    const [first, second] = [await generate({ count: 2 }), await generate({ count: 2 })]
    for (const batch of [first, second]) {
      const [one, next] = seedsOf(batch.images)
      expect(next).toBe(((one ?? NaN) + 1) % 4_294_967_296)
    }
    expect(seedsOf(first.images)).not.toEqual(seedsOf(second.images))
  })

  test.each([
    ['DAILY_IMAGE_LIMIT', 'daily_limit', 'You can generate 2 more images today, not 3.'],
    ['DAILY_IMAGE_TOTAL', 'site_limit', expect.stringContaining('daily image limit')],
  ])('is rejected as a whole at %s', async (variable, reason, message) => {
    const { own, generate, used } = await start(createInstantEngine(capable), { [variable]: '3' })
    await generate()
    await expect(generate({ count: 3 })).rejects.toMatchObject({ message, data: { reason } })
    expect(await used()).toBe(1)
    await generate({ count: 2 })
    await expect(generate({ count: 2 })).rejects.toMatchObject({ data: { reason } })
    expect(await imageRows(own)).toHaveLength(3)
  })

  test('is refunded only for the images that fail', async () => {
    const { engine, held } = createHeldEngine(capable)
    const { asha, generate, used } = await start(engine)
    await generate({ count: 3 })
    await eventually(() => held.length).toBe(3)
    held[1]?.fail(new Error('out of paint'))
    await eventually(used).toBe(2)
    held[0]?.release()
    const list = async () => (await asha.trpc.images.list.query()).images
    const states = async () => (await list()).map(({ state }) => state).toSorted()
    await eventually(states).toEqual(['failed', 'running', 'succeeded'])
    const running = (await list()).find(({ state }) => state === 'running')
    await asha.trpc.images.cancel.mutate({ id: running?.id ?? '' })
    expect(await used()).toBe(2)
    expect(await states()).toEqual(['canceled', 'failed', 'succeeded'])
  })
})

describe('an engine that always draws the same image', () => {
  const deterministic = { capabilities: allCapabilities, isDeterministic: true }

  test('returns the one that exists, uncounted, unless the request differs', async () => {
    const { own, asha, generate, used } = await start(createInstantEngine(deterministic))
    const ids = [await generate(), await generate()].map(({ images }) => images[0]?.id)
    expect(ids[0]).toBe(ids[1])
    expect(await used()).toBe(1)
    const rest = transports.find(({ name }) => name === 'REST')
    expect(await rest?.generate(own, { prompt: 'A lotus', count: 4 }, asha)).toMatchObject({ error: null })
    const { id: remixOf } = await (await own.signUp()).share('A lotus')
    const changes = [{ prompt: 'A lotus flower' }, { size: '512x512' }, { seed: 7 }, { seed: 7 }]
    for (const change of [...changes, { remixOf }, { remixOf }]) await generate(change)
    expect(await used()).toBe(6)
    expect(await generate()).toMatchObject({ images: [{ id: ids[0], recipe: { remixOf: null } }] })
    expect(await imageRows(own)).toHaveLength(7)
  })

  test('joins an unfinished one, and draws again what failed or was deleted', async () => {
    const { engine, held } = createHeldEngine(deterministic)
    const { asha, generate, used } = await start(engine)
    const idOf = async () => (await generate()).images[0]?.id ?? ''
    const first = await idOf()
    expect(await idOf()).toBe(first)
    await eventually(() => held.length).toBe(1)
    held[0]?.fail(new Error('out of paint'))
    await eventually(used).toBe(0)
    const second = await idOf()
    expect(second).not.toBe(first)
    await eventually(() => held.length).toBe(2)
    held[1]?.release()
    await expectState(asha, second, { state: 'succeeded' })
    await asha.trpc.images.delete.mutate({ id: second })
    expect(await idOf()).not.toBe(second)
    expect(await used()).toBe(2)
  })

  test('gives the further images of a batch the seeds 1, 2 and 3', async () => {
    const { asha, generate, used } = await start(createInstantEngine(deterministic))
    await generate()
    expect(seedsOf((await generate({ count: 4 })).images)).toEqual([null, 1, 2, 3])
    const { images } = await generate({ count: 4, requestKey: 'again' })
    for (const { id } of images) await expectState(asha, id, { state: 'succeeded' })
    expect(await used()).toBe(4)
    await expect(generate({ seed: 2, count: 4, requestKey: 'again' })).rejects.toThrow('other settings')
  })
})
