import { rename, stat } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { holdLock } from '../../../test/faults/database-errors.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { databaseFileOf } from '../../../test/support/site.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startTestServer } from '../../../test/support/test-server.ts'

const token = 'the-token-of-the-metrics'
const notReady = [503, { ready: false, because: ['database'] }]

async function startMonitored() {
  const server = await startTestServer({
    env: { METRICS_TOKEN: token },
  })
  async function readiness(): Promise<unknown[]> {
    const response = await server.request('/readyz')
    return [response.status, await response.json()]
  }
  /** The value of a metric; undefined if it is missing. */
  async function figure(name: string): Promise<string | undefined> {
    const response = await server.request('/metrics', { headers: { authorization: `Bearer ${token}` } })
    return new RegExp(`^${name} (.*)$`, 'm').exec(await response.text())?.[1]
  }
  return { server, lines: server.lines, readiness, figure, file: databaseFileOf(server) }
}

test('a missing database file makes the server not ready, and its size unknown, until it returns', async () => {
  const { server, lines, readiness, figure, file } = await startMonitored()
  await fillGallery(server, numberedPosts(3))
  const bytes = 'rangoli_database_bytes'
  // With the write-ahead log.
  expect(Number(await figure(bytes))).toBeGreaterThan((await stat(file)).size)
  await rename(file, `${file}.away`)
  for (let time = 0; time < 3; time += 1) expect(await readiness()).toEqual(notReady)
  expect([await figure(bytes), await figure('rangoli_posts')]).toEqual([undefined, '3'])
  const logged = lines.filter((line) => line.includes('the server is not ready'))
  expect(logged).toEqual([expect.stringContaining('ENOENT')])
  await rename(`${file}.away`, file)
  await eventually(async () => (await readiness())[0]).toBe(200)
  expect(await figure(bytes)).toBeDefined()
})

test('readyz reports a database that another process locks until it is free', async () => {
  const { server, readiness, file } = await startMonitored()
  const release = await holdLock(file)
  onTestFinished(release)
  for (const response of await Promise.all(Array.from({ length: 50 }, readiness)))
    expect(response).toEqual(notReady)
  expect((await server.request('/healthz')).status).toBe(200)
  await release()
  await eventually(async () => (await readiness())[0]).toBe(200)
})
