import { rename } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { holdLock } from '../../../test/faults/database-errors.ts'
import { databaseFileOf } from '../../../test/support/site.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'

async function readiness(server: Pick<TestServer, 'request'>): Promise<unknown[]> {
  const response = await server.request('/readyz')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return [response.status, await response.json()]
}

const ready = [200, { ready: true }]
const notReady = (...because: string[]) => [503, { ready: false, because }]

test('readyz names the database while its file is missing, without details, and recovers', async () => {
  const lines: string[] = []
  const server = await startTestServer({ logTo: { write: (line) => void lines.push(line) } })
  const place = databaseFileOf(server)
  await rename(place, `${place}.away`)
  for (let time = 0; time < 3; time += 1) expect(await readiness(server)).toEqual(notReady('database'))
  const logged = lines.filter((line) => line.includes('the server is not ready'))
  expect(logged).toEqual([expect.stringContaining('ENOENT')])
  await rename(`${place}.away`, place)
  await eventually(() => readiness(server)).toEqual(ready)
})

test('readyz reports a database that another process locks until it is free', async () => {
  const server = await startTestServer()
  const release = await holdLock(databaseFileOf(server))
  onTestFinished(release)
  const responses = await Promise.all(Array.from({ length: 50 }, () => readiness(server)))
  for (const response of responses) expect(response).toEqual(notReady('database'))
  expect((await server.request('/healthz')).status).toBe(200)
  await release()
  await eventually(() => readiness(server)).toEqual(ready)
})
