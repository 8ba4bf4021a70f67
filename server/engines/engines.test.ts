import { describe, expect, test } from 'vitest'
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
