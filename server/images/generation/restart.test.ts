import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { signUpAdministrator } from '../../../test/support/administrator.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import {
  createScriptedEngine,
  eventually,
  expectState,
  follow,
  imageRows,
} from '../../../test/support/generations.ts'
import { startTestServer, userOf, type TestUser } from '../../../test/support/test-server.ts'
import { transports } from '../../../test/support/transports.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'

const interrupted = { state: 'failed', failure: 'interrupted', photo: null } as const
const message = 'The server stopped while the image was being generated. Try again.'

interface StartOptions {
  readonly folder: string
  readonly facts?: Partial<ImageEngine>
  readonly concurrency?: string
  /** User of an earlier server of the same folder. */
  readonly former?: TestUser
}

/** Starts a server that generates one image at a time, with a user. */
async function start({ folder, facts = {}, concurrency = '1', former }: StartOptions) {
  const scripted = createScriptedEngine(facts)
  const server = await startTestServer({
    engine: scripted.engine,
    folder,
    env: { IMAGE_CONCURRENCY: concurrency },
  })
  const asha = former ? userOf(server, former.id, former.cookie) : await server.signUp()
  const run = (prompt: string, requestKey?: string) => follow(asha.trpc, { prompt, requestKey })
  const used = async () => (await asha.trpc.images.quota.query()).used
  const images = async () => (await asha.trpc.images.list.query()).images
  return { ...scripted, server, generations: server.services.generations, asha, run, used, images }
}

describe('a server that stops', () => {
  test('notifies subscribers, rejects new generations, and finishes or cancels those it has', async () => {
    const { server, asha, run, used, waitForJob, generations } = await start({ folder: await tempFolder() })
    const running = run('running', 'press-1')
    const id = await running.id
    const waiting = run('waiting')
    await waiting.seen('queued')
    const job = await waitForJob('running')
    const stopped = Promise.all([generations.stop(60), generations.stop(60)])
    await Promise.all([running.seen('stopping'), waiting.seen('stopping')])
    for (const transport of transports) {
      const late = transport.generate(server, { prompt: 'too late' }, asha)
      expect(await late).toMatchObject({ status: 503, retryAfter: 30 })
    }
    const joined = [follow(asha.trpc, { id }), run('running', 'press-1')]
    for (const { seen, types } of joined) {
      await seen('stopping')
      expect(types()).toEqual(['running', 'stopping'])
    }
    await asha.trpc.images.cancel.mutate({ id: await waiting.id })
    await expect(waiting.ended).rejects.toMatchObject({ data: { reason: 'canceled' } })
    await job.finish()
    await Promise.all([running.ended, ...joined.map(({ ended }) => ended), stopped])
    expect((await imageRows(server)).map(({ state }) => state)).toEqual(['succeeded', 'canceled'])
    expect(await used()).toBe(1)
  })

  test('fails and refunds what exceeds the shutdown timeout, through both transports', async () => {
    const folder = await tempFolder()
    const { server, asha, used, jobs, generations } = await start({ folder })
    const results = transports.map((transport) =>
      transport.generate(server, { prompt: transport.name }, asha),
    )
    await eventually(() => jobs.length).toBe(1)
    await eventually(() => generations.watchers).toBe(2)
    await generations.stop(0.05)
    expect(jobs[0]?.signal.aborted).toBe(true)
    for (const result of results) expect(await result).toMatchObject({ status: 503, error: message })
    expect(await used()).toBe(0)
    await server.stop()

    const again = await start({ folder, former: asha })
    expect(await again.images()).toMatchObject([interrupted, interrupted])
    expect(await again.used()).toBe(0)
    const next = again.run('next')
    await (await again.waitForJob('next')).finish()
    await next.ended
  })

  test('stores an image that the engine has returned, even after the shutdown timeout', async () => {
    const { server, run, waitForJob, generations } = await start({ folder: await tempFolder() })
    const { blobs } = server.services
    const put = blobs.put
    let store = () => {}
    const stored = new Promise<void>((resolve) => (store = resolve))
    const spy = vi.spyOn(blobs, 'put').mockImplementation(async (files) => {
      await stored
      return put(files)
    })
    const own = run('arrived')
    await (await waitForJob('arrived')).finish()
    await eventually(() => spy.mock.calls.length).toBe(1)
    const stopped = generations.stop(0)
    await own.seen('stopping')
    store()
    await Promise.all([own.ended, stopped])
  })
})

describe('a server that starts', () => {
  test('fails and refunds what waits for an engine that is not configured any more', async () => {
    const folder = await tempFolder()
    const engines = ['kept', 'removed'].map((id) => createScriptedEngine({ id }))
    const env = { IMAGE_CONCURRENCY: '1' }
    const killed = await startTestServer({ engines: engines.map(({ engine }) => engine), folder, env })
    const asha = await killed.signUp()
    for (const engine of ['removed', 'kept'])
      for (const state of ['running', 'waiting'])
        await asha.trpc.images.generate.mutate({ prompt: `${state} ${engine}`, engine })
    await eventually(() => engines.map(({ jobs }) => jobs.length)).toEqual([1, 1])
    const again = await start({ folder, facts: { id: 'kept' }, former: asha })
    await again.waitForJob('waiting kept')
    expect(await again.images()).toMatchObject([
      { prompt: 'waiting kept', state: 'running', engine: 'kept' },
      { prompt: 'running kept', ...interrupted },
      {
        prompt: 'waiting removed',
        state: 'failed',
        failure: 'engine_misconfigured',
        failureDetail: 'This site does not have this image engine any more. Choose another one.',
      },
      { prompt: 'running removed', ...interrupted },
    ])
    expect(await again.used()).toBe(1)
    await killed.stop()
  })

  test.each([
    { end: 'killed', canResume: true },
    { end: 'killed', canResume: false },
    { end: 'stopped', canResume: true },
    { end: 'stopped', canResume: false },
  ])('continues after one was $end what its engine can resume: $canResume', async ({ end, canResume }) => {
    const folder = await tempFolder()
    const before = await start({ folder, facts: { canResume: true } })
    const id = await before.run('A lotus', 'press-1').id
    await before.waitForJob('A lotus')
    if (end === 'stopped') await before.server.stop()

    const again = await start({ folder, facts: { canResume }, former: before.asha })
    if (canResume) {
      const job = await again.waitForJob('A lotus')
      expect(job.request).toMatchObject({ imageId: id, isResumed: true })
      expect(await again.run('A lotus', 'press-1').id).toBe(id)
      await job.finish()
      await expectState(again.asha, id, { state: 'succeeded' })
    } else {
      await expectState(again.asha, id, interrupted)
    }
    expect(again.jobs).toHaveLength(canResume ? 1 : 0)
    expect(await again.used()).toBe(canResume ? 1 : 0)
    await before.server.stop()
  })

  test('keeps what waits for a paused engine until it is resumed', async () => {
    const folder = await tempFolder()
    const before = await start({ folder })
    const { id: userId, cookie, trpc } = await signUpAdministrator(before.server)
    before.run('running')
    await before.waitForJob('running')
    const id = await before.run('waiting').id
    await trpc.admin.engines.update.mutate({ id: 'rangoli', isPaused: true })
    await before.server.stop()

    const again = await start({ folder, former: before.asha })
    const waiting = follow(again.asha.trpc, { id })
    expect(await waiting.seen('queue')).toMatchObject({ isPaused: true })
    const administrator = userOf(again.server, userId, cookie)
    await administrator.trpc.admin.engines.update.mutate({ id: 'rangoli', isPaused: false })
    await (await again.waitForJob('waiting')).finish()
    await waiting.ended
  })

  test('does not fail its own new generations while it fails interrupted ones', async () => {
    const { server, jobs, generations } = await start({ folder: await tempFolder(), concurrency: '2' })
    for (let turns = 0; turns < 10; turns += 1) {
      const viewer = { id: `user-${turns}`, firstName: 'Guest', imageUrl: null, role: 'member' as const }
      const [image] = await generations.generate(viewer, { prompt: `early ${turns}` })
      for (let turn = 0; turn < turns; turn += 1) await (turns % 2 ? setImmediate() : Promise.resolve())
      await generations.start()
      await eventually(() => jobs.length).toBe(turns + 1)
      await jobs.at(-1)?.finish()
      await generations.waitForOriginal(viewer, image?.id ?? '')
    }
    expect((await imageRows(server)).map(({ state }) => state)).toEqual(Array(10).fill('succeeded'))
  })
})
