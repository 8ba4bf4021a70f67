import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseFile } from '../../server/db/open-database.ts'
import { transports } from '../support/transports.ts'
import { plainJpeg } from '../support/engine.ts'
import { startTestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'
import { holdLock } from './database-errors.ts'

async function startWithPost() {
  const server = await startTestServer()
  const asha = await server.signUp()
  const photo = dataUrl(await plainJpeg('a photo'))
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Before', photo })
  const file = path.join(server.directory, 'data/rangoli.db')
  async function lock() {
    const release = await holdLock(file)
    onTestFinished(release)
    return release
  }
  return { server, asha, photo, lock }
}

test.each(transports)(
  'rejects a write to a locked database with Retry-After while reads succeed, through $name',
  async (transport) => {
    const { server, asha, photo, lock } = await startWithPost()
    const release = await lock()
    const began = performance.now()
    const wait = { isOver: false }
    const write = transport
      .share(server, { prompt: 'While locked', photo }, asha)
      .finally(() => (wait.isOver = true))
    const reads: number[] = []
    while (!wait.isOver) {
      const before = performance.now()
      const [list, page] = await Promise.all([transport.list(server, {}), server.request('/')])
      expect(list).toMatchObject({ status: 200, posts: [{ prompt: 'Before' }] })
      expect(page.status).toBe(200)
      reads.push(performance.now() - before)
    }
    expect(await write).toEqual({
      status: 503,
      error: "This site can't read or save anything right now. Try again in a moment.",
      retryAfter: 5,
    })
    const waited = performance.now() - began
    expect(waited).toBeGreaterThan(4_000)
    expect(waited).toBeLessThan(9_000)
    // A process blocked by the lock would have answered a single read after five seconds.
    expect(reads.length).toBeGreaterThan(10)
    expect(Math.max(...reads)).toBeLessThan(2_000)

    await release()
    expect(await transport.share(server, { prompt: 'After', photo }, asha)).toMatchObject({ error: null })
    expect(await server.services.db.selectFrom('daily_usage').select(['kind', 'used']).execute()).toEqual([
      { kind: 'post', used: 2 },
      { kind: 'upload', used: 1 },
    ])
  },
)

test('waits for a short lock, then runs the queued writes', async () => {
  const { server, asha, photo, lock } = await startWithPost()
  const release = await lock()
  const writes = ['one', 'two', 'three'].map((prompt) =>
    asha.trpc.posts.create.mutate({ name: 'Asha', prompt, photo }),
  )
  // All writes wait for the lock by now; reads succeed meanwhile.
  for (let round = 0; round < 5; round += 1) {
    expect((await server.client().posts.list.query({})).total).toBe(1)
  }
  await release()
  await Promise.all(writes)
  expect((await server.client().posts.list.query({})).total).toBe(4)
})

test('does not start on a locked database and names the reason', async () => {
  const { server, lock } = await startWithPost()
  const file = path.join(server.directory, 'data/rangoli.db')
  const release = await lock()
  await expect(openDatabaseFile(file)).rejects.toThrow(
    `the database ${file} can't be opened (database is locked).`,
  )
  await release()
  await (await openDatabaseFile(file)).destroy()
})
