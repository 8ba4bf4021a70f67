import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabaseFile } from '../../server/db/open-database.ts'
import { plainJpeg } from '../support/engine.ts'
import { tempFolder } from '../support/folder.ts'
import { createScriptedEngine } from '../support/generations.ts'
import { dataUrl } from '../support/images.ts'
import { startTestServer } from '../support/test-server.ts'
import { transports, trpcTransport } from '../support/transports.ts'
import { damageTable, holdLock } from './database-errors.ts'

const notNow = "This site can't read or save anything right now. Try again in a moment."

async function startWithPost() {
  const { engine, jobs } = createScriptedEngine()
  const server = await startTestServer({ engine })
  const asha = await server.signUp()
  const photo = dataUrl(await plainJpeg('a photo'))
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Before', photo })
  const file = path.join(server.directory, 'data/rangoli.db')
  return { server, asha, photo, post, jobs, file, log: () => server.lines.join('') }
}

test('answers 503 for a database with a damaged page and logs the error', async () => {
  const folder = await tempFolder()
  const sound = await startTestServer({ folder })
  const { cookie } = await sound.signUp()
  await sound.stop()
  await damageTable(path.join(folder, 'data/rangoli.db'), 'posts')

  const server = await startTestServer({ folder })
  const photo = dataUrl(await plainJpeg('a photo'))
  for (const transport of transports) {
    const failed = { status: 503, error: notNow, retryAfter: 30 }
    expect(await transport.list(server, {})).toMatchObject(failed)
    expect(await transport.share(server, { prompt: 'A lotus', photo }, { cookie })).toMatchObject(failed)
  }
  const page = await server.request('/')
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '30'])
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(await page.text()).toContain(notNow.replace("'", '&#39;'))
  const arabic = await server.request('/', { headers: { 'accept-language': 'ar' } })
  expect(await arabic.text()).toContain('<html lang="ar" dir="rtl">')
  expect(server.lines.join('')).toContain('database disk image is malformed')
  // Requests that do not read the damaged page succeed.
  expect((await server.request('/trpc/viewer', { headers: { cookie } })).status).toBe(200)
})

describe('a database that another process has locked', () => {
  /** Locks it until the returned function is called. */
  async function lock(file: string) {
    const release = await holdLock(file)
    onTestFinished(release)
    return release
  }

  test('rejects a write to a locked database with Retry-After while reads succeed', async () => {
    const transport = trpcTransport
    const { server, asha, photo, file } = await startWithPost()
    const release = await lock(file)
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
      error: notNow,
      retryAfter: 5,
    })
    const waited = performance.now() - began
    expect(waited).toBeGreaterThan(4_000)
    expect(waited).toBeLessThan(20_000)
    // A process blocked by the lock would have answered a single read after five seconds.
    expect(Math.max(...reads)).toBeLessThan(waited / 2)

    await release()
    expect(await transport.share(server, { prompt: 'After', photo }, asha)).toMatchObject({ error: null })
    expect(await server.services.db.selectFrom('daily_usage').select(['kind', 'used']).execute()).toEqual([
      { kind: 'post', used: 2 },
      { kind: 'upload', used: 1 },
    ])
  })

  test('does not start on a locked database and names the reason', async () => {
    const { file } = await startWithPost()
    const release = await lock(file)
    await expect(openDatabaseFile(file)).rejects.toThrow(
      `the database ${file} can't be opened (database is locked).`,
    )
    await release()
    await (await openDatabaseFile(file)).destroy()
  })
})
