import { expect, test } from 'vitest'
import { createHeldEngine } from '../../test/support/engine.ts'
import { eventually, follow } from '../../test/support/generations.ts'
import { startTestServer } from '../../test/support/test-server.ts'

test('logs no error and keeps no listener when clients disconnect from subscriptions', async () => {
  const lines: string[] = []
  const { engine, held } = createHeldEngine()
  const server = await startTestServer({ engine, logTo: { write: (line) => void lines.push(line) } })
  const { generations } = server.services
  const asha = await server.signUp()
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
  const id = images[0]?.id ?? ''

  for (let round = 0; round < 20; round += 1) {
    const leaving = new AbortController()
    await follow(asha.trpc, { id }, leaving.signal).seen('running')
    leaving.abort()
  }
  await eventually(() => generations.watchers).toBe(0)
  held[0]?.release()
  await eventually(async () => (await asha.trpc.images.get.query({ id })).state).toBe('succeeded')

  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
})
