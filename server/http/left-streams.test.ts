import { expect, test, vi } from 'vitest'
import { createHeldEngine } from '../../test/support/engine.ts'
import { startAndLeave, startTestServer } from '../../test/support/test-server.ts'

test('a stream that its reader leaves is no fault of the server', async () => {
  const lines: string[] = []
  const { engine, held } = createHeldEngine()
  const server = await startTestServer({ engine, logTo: { write: (line) => void lines.push(line) } })
  const asha = await server.signUp()
  await startAndLeave(asha, 'A lotus')
  const [{ id: imageId } = { id: '' }] = (await asha.trpc.images.mine.query()).images

  for (let round = 0; round < 20; round += 1) {
    const leaving = new AbortController()
    const events = await asha.trpc.images.watch.query({ imageId }, { signal: leaving.signal })
    await events[Symbol.asyncIterator]().next()
    leaving.abort()
  }
  await vi.waitFor(() => expect(held).toHaveLength(1))
  held[0]?.release()
  await vi.waitFor(async () =>
    expect(await asha.trpc.images.mine.query()).toMatchObject({ images: [{ state: 'ready' }] }),
  )

  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
})
