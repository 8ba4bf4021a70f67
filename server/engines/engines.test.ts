import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Role } from '../../shared/viewer.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { createHeldEngine, createInstantEngine, engineFacts } from '../../test/support/engine.ts'
import { eventually, follow } from '../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { setRole } from '../access/user-access.ts'
import { AppError } from '../errors/app-error.ts'
import { Engines } from './engines.ts'
import type { EngineStatus, ImageEngine } from './image-engine.ts'

function engineNamed(id: string, more: Partial<ImageEngine> = {}): ImageEngine {
  const check = () => Promise.resolve({ models: [`${id}-large`, `${id}-small`] })
  return createInstantEngine({ id, label: `The ${id} engine`, check, ...more })
}

/** Creates the engines of a site, with a recorded log. */
function openEngines(...all: ImageEngine[]) {
  const lines: string[] = []
  const engines = new Engines(all, pino({}, { write: (line: string) => void lines.push(line) }))
  return { engines, logged: (text: string) => lines.filter((line) => line.includes(text)) }
}

const down = () => Promise.reject(new AppError('engine_unavailable'))

/** Replaces the clock until the end of the test. */
function stopClock(...toFake: 'setTimeout'[]) {
  vi.useFakeTimers({ toFake: ['performance', ...toFake] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('the list of engines', () => {
  test('has every engine with its models and capabilities, the default first', async () => {
    expect(await openEngines(engineNamed('first'), engineNamed('second')).engines.list()).toEqual(
      ['first', 'second'].map((id) => ({
        id,
        kind: 'rangoli',
        label: `The ${id} engine`,
        models: [`${id}-large`, `${id}-small`],
        capabilities: engineFacts.capabilities,
        isAvailable: true,
      })),
    )
  })

  test('names the configured model of an engine that lists none', async () => {
    const engine = engineNamed('quiet', { model: 'flux', check: () => Promise.resolve({ models: [] }) })
    expect(await openEngines(engine).engines.list()).toMatchObject([{ models: ['flux'] }])
  })

  test('has engines that are down or do not answer after 2 seconds, and shows one as soon as it answers', async () => {
    stopClock('setTimeout')
    let answer = (_status: EngineStatus) => {}
    const late = new Promise<EngineStatus>((resolve) => (answer = resolve))
    const { engines } = openEngines(
      engineNamed('up'),
      engineNamed('down', { check: down }),
      engineNamed('late', { check: () => late }),
    )
    const list = engines.list()
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await list).map(({ isAvailable }) => isAvailable)).toEqual([true, false, false])
    answer({ models: [] })
    await vi.advanceTimersByTimeAsync(0)
    expect((await engines.list()).map(({ isAvailable }) => isAvailable)).toEqual([true, false, true])
  })

  test('keeps the models of an engine that is down, which is logged once, as is its return', async () => {
    stopClock()
    let isDown = false
    const models = ['large', 'small']
    const check = vi.fn(() => (isDown ? down() : Promise.resolve({ models })))
    const { engines, logged } = openEngines(engineNamed('forge', { check }))
    for (const state of ['up', 'down', 'down', 'up', 'up']) {
      isDown = state === 'down'
      vi.advanceTimersByTime(31_000)
      await engines.list()
      await eventually(() => engines.list()).toMatchObject([{ models, isAvailable: !isDown }])
    }
    expect(check).toHaveBeenCalledTimes(5)
    expect(logged('an image engine is not available')).toHaveLength(1)
    expect(logged('an image engine is available again')).toHaveLength(1)
  })
})

const quick = { id: 'quick', label: 'Quick' }
const fine = { id: 'fine', label: 'Fine' }
const server = shareTestServer({ engines: [quick, fine].map((facts) => createInstantEngine(facts)) })
let meera: TestUser
let asha: TestUser

describe('a decision of administrators', () => {
  beforeAll(async () => {
    meera = await signUpAdministrator(server())
    asha = await server().signUp()
  })

  beforeEach(async () => {
    for (const { id } of [fine, quick])
      await update({ id, access: 'member', isPaused: false, isDefault: true })
    await server().services.db.deleteFrom('admin_log').execute()
  })

  const update = (input: { id: string; isPaused?: boolean; access?: Role; isDefault?: true }) =>
    meera.trpc.admin.engines.update.mutate(input)

  async function idsFor(client: TestUser['trpc']): Promise<string[]> {
    return (await client.engines.list.query()).engines.map(({ id }) => id)
  }

  async function actionsOf() {
    const rows = await server().services.db.selectFrom('admin_log').selectAll().orderBy('seq').execute()
    return rows.map(({ action, details }) => [action, JSON.parse(details) as unknown])
  }

  describe('the default engine', () => {
    test('is the first of the configuration until an administrator chooses another one', async () => {
      expect(await idsFor(asha.trpc)).toEqual(['quick', 'fine'])
      const { engines } = await update({ id: 'fine', isDefault: true })
      expect(engines).toMatchObject([
        { id: 'fine', isDefault: true },
        { id: 'quick', isDefault: false },
      ])
      expect(await idsFor(asha.trpc)).toEqual(['fine', 'quick'])
      const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
      expect(images).toMatchObject([{ recipe: { engine: 'fine' } }])
      expect(await actionsOf()).toEqual([['change_default_engine', { engine: 'fine' }]])
    })

    test('is another one for users who may not use it, and while it is paused', async () => {
      await update({ id: 'quick', access: 'administrator' })
      const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
      expect(images).toMatchObject([{ recipe: { engine: 'fine' } }])
      await update({ id: 'quick', access: 'member', isPaused: true })
      const { images: others } = await asha.trpc.images.generate.mutate({ prompt: 'A kite' })
      expect(others).toMatchObject([{ recipe: { engine: 'fine' } }])
    })
  })

  describe('access to an engine', () => {
    test('is limited to a role and those above it, in lists and for new images', async () => {
      const ravi = await server().signUp('Ravi')
      await setRole(server().services.db, ravi.id, 'moderator')
      const visitor = server().client()
      await update({ id: 'fine', access: 'moderator' })
      expect(await Promise.all([visitor, asha.trpc, ravi.trpc, meera.trpc].map(idsFor))).toEqual([
        ['quick'],
        ['quick'],
        ['quick', 'fine'],
        ['quick', 'fine'],
      ])
      await update({ id: 'fine', access: 'administrator' })
      expect(await Promise.all([ravi.trpc, meera.trpc].map(idsFor))).toEqual([['quick'], ['quick', 'fine']])
      for (const user of [asha, ravi]) {
        const generation = user.trpc.images.generate.mutate({ prompt: 'A lotus', engine: 'fine' })
        await expect(generation).rejects.toMatchObject({
          message: 'You may not use the engine Fine.',
          data: { httpStatus: 403 },
        })
      }
      await meera.trpc.images.generate.mutate({ prompt: 'A lotus', engine: 'fine' })
      expect((await actionsOf()).at(-1)).toEqual([
        'change_engine_access',
        { engine: 'fine', from: 'moderator', to: 'administrator' },
      ])
    })

    test('is that of a member for an API key of an administrator', async () => {
      await update({ id: 'fine', access: 'administrator' })
      const { key } = await meera.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
      const robot = server().client({ authorization: `Bearer ${key}` })
      expect(await idsFor(robot)).toEqual(['quick'])
      const generation = robot.images.generate.mutate({ prompt: 'A lotus', engine: 'fine' })
      await expect(generation).rejects.toMatchObject({ data: { httpStatus: 403 } })
    })

    test('to no engine at all says so', async () => {
      for (const id of ['quick', 'fine']) await update({ id, access: 'administrator' })
      expect(await idsFor(asha.trpc)).toEqual([])
      await expect(asha.trpc.images.generate.mutate({ prompt: 'A lotus' })).rejects.toMatchObject({
        message: 'You may not use any image engine of this site at present.',
        data: { httpStatus: 403 },
      })
    })
  })

  describe('a paused engine', () => {
    test('accepts no new images, and is listed as not available', async () => {
      const { used } = await asha.trpc.images.quota.query()
      await update({ id: 'fine', isPaused: true })
      const { engines } = await asha.trpc.engines.list.query()
      expect(engines).toMatchObject([{ id: 'quick' }, { id: 'fine', isAvailable: false, isPaused: true }])
      const generation = asha.trpc.images.generate.mutate({ prompt: 'A lotus', engine: 'fine' })
      await expect(generation).rejects.toMatchObject({
        message: 'The engine Fine is paused. Choose another one, or try again later.',
        data: { httpStatus: 503, reason: 'engine_unavailable' },
      })
      expect(await asha.trpc.images.quota.query()).toMatchObject({ used })
      await update({ id: 'fine', isPaused: false })
      await asha.trpc.images.generate.mutate({ prompt: 'A lotus', engine: 'fine' })
      expect(await actionsOf()).toEqual([
        ['pause_engine', { engine: 'fine' }],
        ['resume_engine', { engine: 'fine' }],
      ])
    })

    test('finishes the image that it generates, and leaves the others waiting until it is resumed', async () => {
      const { engine, held } = createHeldEngine({ id: 'slow', label: 'Slow', serialKey: 'slow' })
      const own = await startTestServer({ engines: [engine] })
      const administrator = await signUpAdministrator(own)
      const user = await own.signUp()
      const pause = (isPaused: boolean) =>
        administrator.trpc.admin.engines.update.mutate({ id: 'slow', isPaused })
      const first = follow(user.trpc, { prompt: 'First' })
      await eventually(() => held.length).toBe(1)
      const second = follow(user.trpc, { prompt: 'Second' })
      await eventually(async () => (await pause(true)).engines[0]).toMatchObject({
        isPaused: true,
        running: 1,
        waiting: 1,
      })
      held[0]?.release()
      await first.ended
      const [waiting] = (await user.trpc.images.list.query()).images
      expect(waiting).toMatchObject({ prompt: 'Second', state: 'queued' })
      expect(held).toHaveLength(1)
      await pause(false)
      await eventually(() => held.length).toBe(2)
      held[1]?.release()
      await second.ended
    })
  })

  test('an engine that is not configured, and other input, is rejected', async () => {
    for (const [input, httpStatus] of [
      [{ id: 'unknown', isPaused: true }, 404],
      [{ id: '__proto__', isPaused: true }, 404],
      [{ id: 'fine', access: 'nobody' }, 400],
      [{ id: 'fine', isPaused: 'yes' }, 400],
      [{ id: 7 }, 400],
      [null, 400],
    ] as const)
      await expect(update(input as never)).rejects.toMatchObject({ data: { httpStatus } })
    await expect(asha.trpc.admin.engines.list.query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
    expect(await actionsOf()).toEqual([])
  })

  test('simultaneous changes of two engines are both kept', async () => {
    await Promise.all([update({ id: 'quick', access: 'moderator' }), update({ id: 'fine', isPaused: true })])
    const { engines } = await meera.trpc.admin.engines.list.query()
    expect(engines).toMatchObject([
      { id: 'quick', access: 'moderator', isPaused: false },
      { id: 'fine', access: 'member', isPaused: true },
    ])
  })
})

test('an engine that is down takes generations of the models that it had', async () => {
  stopClock()
  let isDown = false
  const check = () => (isDown ? down() : Promise.resolve({ models: ['large', 'small'] }))
  const own = await startTestServer({ engine: engineNamed('forge', { check }) })
  const user = await own.signUp()
  await own.client().engines.list.query()
  isDown = true
  vi.advanceTimersByTime(31_000)
  const list = async () => (await own.client().engines.list.query()).engines
  await eventually(list).toMatchObject([{ isAvailable: false }])
  const generate = (model: string) => user.trpc.images.generate.mutate({ prompt: 'A lotus', model })
  expect(await generate('small')).toMatchObject({ images: [{ model: 'small' }] })
  await expect(generate('huge')).rejects.toMatchObject({ data: { reason: 'engine_unavailable' } })
})
