import { rename } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { smallDisk } from '../../../test/faults/disks.ts'
import { uploadsIn } from '../../../test/support/site.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { createWorkerApp } from '../app.ts'
import { connectionLimits, Connections, listen } from '../connections.ts'

async function readiness(server: Pick<TestServer, 'request'>): Promise<unknown[]> {
  const response = await server.request('/readyz')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return [response.status, await response.json()]
}

const ready = [200, { ready: true }]
const notReady = (...because: string[]) => [503, { ready: false, because }]

test('probes are neither rate limited nor logged, and leave no files', async () => {
  const server = await startTestServer()
  const version = await server.services.readContentVersion()
  expect(await readiness(server)).toEqual(ready)
  const probes = Array.from({ length: 300 }, (_, i) => server.request(i % 2 ? '/healthz' : '/readyz'))
  const statuses = (await Promise.all(probes)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(server.lines.filter((line) => !line.includes('"level":20'))).toEqual([])
  expect(await server.services.readContentVersion()).toBe(version)
  expect(await uploadsIn(server.directory)).toEqual([])
})

test('readyz names uploads while they are missing, and recovers', async () => {
  const server = await startTestServer()
  const place = path.join(server.directory, 'uploads')
  await rename(place, `${place}.away`)
  expect(await readiness(server)).toEqual(notReady('uploads'))
  await rename(`${place}.away`, place)
  await eventually(() => readiness(server)).toEqual(ready)
})

test('readyz reports a full disk until there is free space', async () => {
  const disk = await smallDisk()
  const server = await startTestServer({ env: { UPLOADS_DIR: path.join(disk.folder, 'uploads') } })
  expect(await readiness(server)).toEqual(ready)
  disk.fill()
  await eventually(() => readiness(server)).toEqual(notReady('uploads'))
  disk.freeSpace()
  await eventually(() => readiness(server)).toEqual(ready)
})

test('a stopping server is not ready but alive, whatever the state of the database', async () => {
  const server = await startTestServer()
  server.services.readiness.stop()
  expect(await readiness(server)).toEqual(notReady('stopping'))
  await server.services.db.destroy()
  const response = await server.request('/healthz')
  expect([response.status, await response.text()]).toEqual([200, 'alive\n'])
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('a worker serves health and metrics alone', async () => {
  const token = 'a-token-of-enough-letters'
  const server = await startTestServer({ env: { METRICS_TOKEN: token } })
  const { config, log } = server.services
  const connections = new Connections(connectionLimits(config), log)
  const worker = await listen(createWorkerApp(server.services), [config.host], 0, connections)
  onTestFinished(() => worker.close(0))
  const authorization = `Bearer ${token}`
  for (const [pathname, status, headers] of [
    ['/healthz', 200, {}],
    ['/readyz', 200, {}],
    ['/metrics', 200, { authorization }],
    ['/metrics', 401, {}],
    ['/', 404, {}],
    ['/trpc/posts.list', 404, {}],
    ['/api/v1/post', 404, {}],
    ['/uploads/a/original.jpg', 404, {}],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${worker.port}${pathname}`, { headers })
    expect([pathname, response.status]).toEqual([pathname, status])
  }
})
