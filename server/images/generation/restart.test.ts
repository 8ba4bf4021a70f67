import { describe, expect, test } from 'vitest'
import { transports } from '../../../test/support/transports.ts'
import { createHeldEngine } from '../../../test/support/engine.ts'
import { createScriptedEngine, expectState } from '../../../test/support/generations.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import {
  startUnwatched,
  startTestServer,
  type TestUser,
  type TestServer,
} from '../../../test/support/test-server.ts'
import { uploadsIn } from '../../../test/support/site.ts'

const signInAgain = (server: TestServer, { cookie }: TestUser) => server.client(server.headersOf({ cookie }))

describe('a server that stops during a generation', () => {
  test.each(transports)('reports the interruption through $name, and refunds it', async (transport) => {
    const folder = await tempFolder()
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({ engine, folder, env: { IMAGE_CONCURRENCY: '1' } })
    const asha = await server.signUp()
    const results = ['running', 'waiting'].map((prompt) => transport.generate(server, { prompt }, asha))
    await expect.poll(() => held.length).toBe(1)
    await expect.poll(async () => (await asha.trpc.images.list.query()).images.length).toBe(2)
    await server.services.generations.stop(0)
    const expected = {
      status: 503,
      error: 'The server stopped while the image was being generated. Try again.',
    }
    expect(await Promise.all(results)).toMatchObject([expected, expected])
    expect(await transport.generate(server, { prompt: 'too late' }, asha)).toMatchObject({
      status: 503,
      retryAfter: 30,
    })
    await server.stop()

    const again = signInAgain(await startTestServer({ folder }), asha)
    expect(await again.images.quota.query()).toMatchObject({ used: 0 })
    const interrupted = { state: 'failed', failure: 'interrupted' }
    expect(await again.images.list.query()).toMatchObject({ images: [interrupted, interrupted] })
  })

  test('rejects new generations, and finishes running ones within the shutdown timeout', async () => {
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({ engine })
    const asha = await server.signUp()
    const image = asha.generate('A lotus')
    await expect.poll(() => held.length).toBe(1)
    const stopped = server.services.generations.stop(60)
    for (const transport of transports) {
      expect(await transport.generate(server, { prompt: 'too late' }, asha)).toMatchObject({
        status: 503,
        retryAfter: 30,
      })
    }
    held[0]?.release()
    expect(await image).toMatchObject({ state: 'succeeded' })
    await stopped
  })
})

test('fails and refunds the unfinished generations of a killed server at startup', async () => {
  const folder = await tempFolder()
  const { engine, held } = createHeldEngine()
  const killed = await startTestServer({ engine, folder })
  const asha = await killed.signUp()
  await startUnwatched(asha, 'A lotus')
  await expect.poll(() => held.length).toBe(1)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })

  // The first server is not notified, which simulates a killed one.
  const server = await startTestServer({ folder })
  const again = signInAgain(server, asha)
  expect(await again.images.list.query()).toMatchObject({
    images: [{ prompt: 'A lotus', state: 'failed', failure: 'interrupted', photo: null }],
  })
  expect(await again.images.quota.query()).toMatchObject({ used: 0 })
  held[0]?.release()
  await killed.stop()
  expect(await again.images.list.query()).toMatchObject({
    images: [{ state: 'failed', failure: 'interrupted' }],
  })
  expect(await again.images.quota.query()).toMatchObject({ used: 0 })
})

test('keeps users, sessions, images and posts across a restart', async () => {
  const folder = await tempFolder()
  const first = await startTestServer({ folder })
  const asha = await first.signUp()
  const image = await asha.generate('A lotus')
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: image.id })
  const viewer = await asha.trpc.viewer.query()
  await first.stop()

  const second = await startTestServer({ folder })
  const again = signInAgain(second, asha)
  expect(await again.viewer.query()).toEqual(viewer)
  expect((await again.images.list.query()).images).toMatchObject([image])
  expect((await again.posts.list.query()).posts).toEqual([post])
  expect((await second.request(post.photo)).status).toBe(200)
  expect(await uploadsIn(folder)).toHaveLength(1)
})

test('fails and refunds what waits for an engine that is not configured any more', async () => {
  const folder = await tempFolder()
  const [kept, removed] = [createHeldEngine({ id: 'kept' }), createHeldEngine({ id: 'removed' })]
  const env = { IMAGE_CONCURRENCY: '1' }
  const killed = await startTestServer({ engines: [kept.engine, removed.engine], folder, env })
  const asha = await killed.signUp()
  const generate = (prompt: string, engine: string) =>
    asha.trpc.images.generate.mutate({ prompt, engine }).then(({ images }) => images[0]?.id ?? '')
  await generate('Running', 'removed')
  await generate('Removed', 'removed')
  await generate('Running', 'kept')
  await generate('Kept', 'kept')
  await expect.poll(() => [kept.held.length, removed.held.length]).toEqual([1, 1])

  const next = createHeldEngine({ id: 'kept' })
  const server = await startTestServer({ engine: next.engine, folder, env })
  const again = signInAgain(server, asha)
  await expect.poll(() => next.held.map(({ prompt }) => prompt)).toEqual(['Kept'])
  expect((await again.images.list.query()).images).toMatchObject([
    { prompt: 'Kept', state: 'running', engine: 'kept' },
    { prompt: 'Running', state: 'failed', failure: 'interrupted' },
    {
      prompt: 'Removed',
      state: 'failed',
      failure: 'engine_misconfigured',
      failureDetail: 'This site does not have this image engine any more. Choose another one.',
    },
    { prompt: 'Running', state: 'failed', failure: 'interrupted' },
  ])
  expect(await again.images.quota.query()).toMatchObject({ used: 1 })
  await killed.stop()
})

test('does not send again what was sent by an engine that could resume, and refunds it', async () => {
  const folder = await tempFolder()
  const { engine, held } = createHeldEngine({ canResume: true })
  const before = await startTestServer({ engine, folder })
  const asha = await before.signUp()
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
  await expect.poll(() => held.length).toBe(1)
  await before.stop()

  const next = createHeldEngine()
  const again = signInAgain(await startTestServer({ engine: next.engine, folder }), asha)
  const interrupted = { state: 'failed', failure: 'interrupted' } as const
  await expectState({ trpc: again }, images[0]?.id ?? '', interrupted)
  expect(await again.images.quota.query()).toMatchObject({ used: 0 })
  expect(next.held).toEqual([])
})

test.each(['killed', 'stopped'])(
  'continues after a server was %s what its engine can resume',
  async (end) => {
    const folder = await tempFolder()
    const { engine, held } = createHeldEngine({ canResume: true })
    const before = await startTestServer({ engine, folder })
    const asha = await before.signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus', requestKey: 'press-1' })
    await expect.poll(() => held.length).toBe(1)
    if (end === 'stopped') await before.stop()

    const { engine: next, jobs, waitForJob } = createScriptedEngine({ canResume: true })
    const server = await startTestServer({ engine: next, folder })
    const again = signInAgain(server, asha)
    const job = await waitForJob('A lotus')
    expect(job.request).toMatchObject({ imageId: images[0]?.id, isResumed: true })
    const press = again.images.generate.mutate({ prompt: 'A lotus', requestKey: 'press-1' })
    expect((await press).images).toMatchObject([{ id: images[0]?.id, state: 'running' }])
    await job.finish()
    await expectState({ trpc: again }, images[0]?.id ?? '', { state: 'succeeded' })
    expect(await again.images.quota.query()).toMatchObject({ used: 1 })
    expect(jobs).toHaveLength(1)
    await before.stop()
  },
)
