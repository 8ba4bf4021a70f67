import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { folderSize } from '../../files/disk-files.ts'
import { createHeldEngine } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import {
  shareTestServer,
  startTestServer,
  startUnwatched,
  type TestServer,
} from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

const token = 'the-token-of-the-metrics'
const env = { METRICS_TOKEN: token, API_TOKEN: 'the-token-of-the-api-transport' }
const asMonitor = { headers: { authorization: `Bearer ${token}` } }

async function scrape(server: TestServer): Promise<string> {
  return (await server.request('/metrics', asMonitor)).text()
}

/** The value of the line that begins with `name`, if there is one. */
async function figure(server: TestServer, name: string): Promise<number | undefined> {
  const line = (await scrape(server)).split('\n').find((text) => text.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

const requests = (method: string, route: string, status: string) =>
  `rangoli_http_requests_total{method="${method}",route="${route}",status="${status}"}`

describe('GET /metrics', () => {
  const server = shareTestServer({ env })

  test('does not exist without METRICS_TOKEN', async () => {
    const own = await startTestServer()
    expect((await own.request('/metrics', asMonitor)).status).toBe(404)
    expect(own.services.metrics).toBeNull()
  })

  test.each([
    {},
    { authorization: 'Bearer' },
    { authorization: `Bearer ${token}x` },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${env.API_TOKEN}` },
    { cookie: `token=${token}` },
  ] as Record<string, string>[])('rejects %j', async (headers) => {
    const response = await server().request('/metrics', { headers })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).not.toContain('rangoli_')
  })

  test('responds in the Prometheus format, uncached, with the metrics of the process', async () => {
    const { headers } = await server().request('/metrics', asMonitor)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    const text = await scrape(server())
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:|# (?:HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(?:\{[^}]*\})? (?:[\d.e+-]+|Nan))$/)
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'))
  })
})

describe('metrics of requests', () => {
  test('count by route, never by URL, apart from those of another server', async () => {
    const [server, other] = [await startTestServer({ env }), await startTestServer({ env })]
    await fillGallery(server, numberedPosts(1))
    const read = async (address: string) => (await server.request(address)).arrayBuffer()
    // Cached responses count too.
    await Promise.all(Array.from({ length: 40 }, () => read('/')))
    for (const address of [
      '/?q=lotus',
      '/one',
      '/two',
      '/trpc/posts.list',
      '/trpc/none',
      '/trpc/viewer,posts.list?batch=1',
      '/uploads/a/b.jpg',
    ])
      await read(address)
    await server.postJson('/api/v1/post', {})
    for (const method of ['PUT', 'PROPFIND']) await server.request('/api/v1/post', { method })
    for (const [method, route, status, count] of [
      ['other', '/api/v1/*', '4xx', 2],
      ['GET', '/', '2xx', 41],
      ['GET', 'other', '4xx', 2],
      ['GET', '/trpc/posts.list', '2xx', 1],
      ['GET', '/trpc/*', '4xx', 1],
      ['GET', '/trpc/*', '2xx', 1],
      ['GET', '/uploads/:folder/:file', '4xx', 1],
      ['POST', '/api/v1/post', '4xx', 1],
    ] as const)
      await eventually(() => figure(server, requests(method, route, status))).toBe(count)
    expect(await figure(server, 'rangoli_http_request_duration_seconds_count{route="/"}')).toBe(41)
    expect(await scrape(server)).not.toMatch(/lotus|\/one|\/two|none",/)
    expect(await figure(other, requests('GET', '/', '2xx'))).toBeUndefined()
  })
})

test('metrics of generations count running, queued and finished ones, and time the engine', async () => {
  const { engine, held } = createHeldEngine()
  const server = await startTestServer({ env: { ...env, IMAGE_CONCURRENCY: '1' }, engine })
  const [asha, ravi] = [await server.signUp(), await server.signUp()]
  for (const prompt of ['One', 'Two', 'Three']) await startUnwatched(asha, prompt)
  await startUnwatched(ravi, 'Four')
  expect(await figure(server, 'rangoli_generations_running')).toBe(1)
  expect(await figure(server, 'rangoli_generations_waiting')).toBe(3)
  expect(await figure(server, 'rangoli_generations_total{outcome="succeeded"}')).toBe(0)

  const cancelNewest = async ({ trpc }: typeof asha) => {
    const { images } = await trpc.images.list.query()
    await trpc.images.cancel.mutate({ id: images[0]?.id ?? '' })
  }
  await cancelNewest(ravi)
  await pause(20)
  held[0]?.release()
  await eventually(() => held.length).toBe(2)
  held[1]?.fail(new Error('The engine fails.'))
  await eventually(() => held.length).toBe(3)
  await cancelNewest(asha)
  await eventually(() => figure(server, 'rangoli_generations_running')).toBe(0)
  const engineSeconds = 'rangoli_engine_duration_seconds'
  for (const [name, count] of [
    ['rangoli_generations_waiting', 0],
    ['rangoli_generations_total{outcome="succeeded"}', 1],
    ['rangoli_generations_total{outcome="canceled"}', 2],
    ['rangoli_generations_total{outcome="engine_failed"}', 1],
    [`${engineSeconds}_count{engine="rangoli",outcome="ready"}`, 1],
    [`${engineSeconds}_count{engine="rangoli",outcome="failed"}`, 1],
    // A canceled one is no failure of the engine.
    [`${engineSeconds}_count{engine="rangoli",outcome="stopped"}`, 1],
  ] as const)
    await eventually(async () => [name, await figure(server, name)]).toEqual([name, count])
  const sum = await figure(server, `${engineSeconds}_sum{engine="rangoli",outcome="ready"}`)
  expect(sum).toBeGreaterThan(0.015)
})

test('metrics of the site count posts and bytes', async () => {
  const first = await startTestServer({ env })
  await fillGallery(first, numberedPosts(3))
  const uploadsDirectory = path.join(first.directory, 'uploads')
  const before = await folderSize(uploadsDirectory)
  // Files from before the start are measured, later ones are added.
  const server = await startTestServer({ env, folder: first.directory })
  const bytes = () => figure(server, 'rangoli_uploads_bytes')
  await eventually(bytes).toBe(before)
  const asha = await server.signUp()
  const { id } = await asha.generate('A lotus')
  expect(await bytes()).toBe(await folderSize(uploadsDirectory))
  await asha.trpc.images.delete.mutate({ id })
  await asha.trpc.images.deletePermanently.mutate({ id })
  expect(await bytes()).toBe(before)
  expect(await figure(server, 'rangoli_posts')).toBe(3)
  expect(await figure(server, 'rangoli_database_bytes')).toBeGreaterThan(0)
})
