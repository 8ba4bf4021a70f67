import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createInstantEngine, engineFacts } from '../../test/support/engine.ts'
import { eventually } from '../../test/support/generations.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { AppError } from '../errors/app-error.ts'
import type { EngineStatus, ImageEngine } from './image-engine.ts'

function engineNamed(id: string, more: Partial<ImageEngine> = {}): ImageEngine {
  return {
    ...createInstantEngine(),
    id,
    label: `The ${id} engine`,
    check: () => Promise.resolve({ models: [`${id}-large`, `${id}-small`] }),
    ...more,
  }
}

const down = () => Promise.reject(new AppError('engine_unavailable'))
const hanging = () => new Promise<never>(() => {})

describe('engines.list', () => {
  test('lists every engine with its models and capabilities, the default first', async () => {
    const { client } = await startTestServer({ engines: [engineNamed('first'), engineNamed('second')] })
    expect(await client().engines.list.query()).toEqual({
      engines: ['first', 'second'].map((id) => ({
        id,
        kind: 'rangoli',
        label: `The ${id} engine`,
        models: [`${id}-large`, `${id}-small`],
        capabilities: engineFacts.capabilities,
        isAvailable: true,
      })),
    })
  })

  test('names the configured model of an engine that lists none', async () => {
    const engine = engineNamed('quiet', { model: 'flux', check: () => Promise.resolve({ models: [] }) })
    const { client } = await startTestServer({ engine })
    expect(await client().engines.list.query()).toMatchObject({ engines: [{ models: ['flux'] }] })
  })

  test('shows engines that are down or do not answer, in at most 2 seconds, and logs them once', async () => {
    const lines: string[] = []
    const { client } = await startTestServer({
      engines: [
        engineNamed('up'),
        engineNamed('down', { check: down }),
        engineNamed('hanging', { check: hanging }),
      ],
      logTo: { write: (line) => void lines.push(line) },
    })
    const startedAt = performance.now()
    const list = () => client().engines.list.query()
    const expected = [{ isAvailable: true }, { isAvailable: false }, { isAvailable: false }]
    expect(await list()).toMatchObject({ engines: expected })
    expect(await list()).toMatchObject({ engines: expected })
    expect(performance.now() - startedAt).toBeLessThan(6_000)
    expect(lines.filter((line) => line.includes('an image engine is not available'))).toHaveLength(1)
  })

  /** Starts a server whose engine goes down and up, and is checked again at once. */
  async function startUnsteady() {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let isDown = false
    let checks = 0
    const lines: string[] = []
    const engine = engineNamed('forge', {
      check() {
        checks += 1
        return isDown ? down() : Promise.resolve({ models: ['large', 'small'] })
      },
    })
    const server = await startTestServer({ engine, logTo: { write: (line) => void lines.push(line) } })
    const read = async () => (await server.client().engines.list.query()).engines[0]
    async function become(state: 'up' | 'down') {
      isDown = state === 'down'
      const before = checks
      vi.advanceTimersByTime(31_000)
      await eventually(async () => [(await read())?.isAvailable, checks]).toEqual([!isDown, before + 1])
    }
    await become('up')
    return { server, read, become, logged: (text: string) => lines.filter((line) => line.includes(text)) }
  }

  test('logs once that an engine is down, and that it is available again', async () => {
    const { become, logged } = await startUnsteady()
    for (const state of ['down', 'down', 'up', 'up'] as const) await become(state)
    expect(logged('an image engine is not available')).toHaveLength(1)
    expect(logged('an image engine is available again')).toHaveLength(1)
  })

  test('lists the models that an engine had before it was down', async () => {
    const { server, read, become } = await startUnsteady()
    await become('down')
    expect(await read()).toMatchObject({ models: ['large', 'small'] })
    const asha = await server.signUp()
    const generate = (model: string) => asha.trpc.images.generate.mutate({ prompt: 'A lotus', model })
    expect(await generate('small')).toMatchObject({ images: [{ model: 'small' }] })
    await expect(generate('huge')).rejects.toMatchObject({ data: { reason: 'engine_unavailable' } })
  })

  test('shows an engine as soon as its first check is done', async () => {
    let resolve = (_status: EngineStatus) => {}
    const status = new Promise<EngineStatus>((done) => (resolve = done))
    const { client } = await startTestServer({ engine: engineNamed('slow', { check: () => status }) })
    const isAvailable = async () => (await client().engines.list.query()).engines[0]?.isAvailable
    expect(await isAvailable()).toBe(false)
    resolve({ models: [] })
    await eventually(isAvailable).toBe(true)
  })
})
