import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { folderSize } from '../../files/disk-files.ts'
import { createHeldEngine } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startUnwatched, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

const token = 'the-token-of-the-metrics'
const env = { METRICS_TOKEN: token }
const asMonitor = { headers: { authorization: `Bearer ${token}` } }

async function scrape(server: TestServer): Promise<string> {
  const response = await server.request('/metrics', asMonitor)
  expect(response.status).toBe(200)
  return response.text()
}

/** The value of the line that begins with `name`, if there is one. */
async function figure(server: TestServer, name: string): Promise<number | undefined> {
  const line = (await scrape(server)).split('\n').find((text) => text.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

const requests = (method: string, route: string, status: string) =>
  `rangoli_http_requests_total{method="${method}",route="${route}",status="${status}"}`

describe('GET /metrics', () => {
  test('does not exist without METRICS_TOKEN', async () => {
    const server = await startTestServer()
    for (const headers of [{}, asMonitor.headers]) {
      expect((await server.request('/metrics', { headers })).status).toBe(404)
    }
    expect(server.services.metrics).toBeNull()
  })

  test.each([
    {},
    { authorization: 'Bearer' },
    { authorization: `Bearer ${token}x` },
    { authorization: `Basic ${token}` },
    { authorization: 'Bearer the-token-of-the-api-transport' },
    { cookie: `token=${token}` },
  ] as Record<string, string>[])('rejects %j', async (headers) => {
    const server = await startTestServer({ env: { ...env, API_TOKEN: 'the-token-of-the-api-transport' } })
    const response = await server.request('/metrics', { headers })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).not.toContain('rangoli_')
  })

  test('responds to METRICS_TOKEN in the Prometheus format, uncached', async () => {
    const server = await startTestServer({ env })
    const response = await server.request('/metrics', asMonitor)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    for (const line of (await response.text()).trimEnd().split('\n')) {
      expect(line).toMatch(/^(?:|# (?:HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(?:\{[^}]*\})? (?:[\d.e+-]+|Nan))$/)
    }
  })
})

describe('metrics of requests', () => {
  test('count by route, never by URL', async () => {
    const server = await startTestServer({ env })
    for (const address of [
      '/',
      '/?q=lotus',
      '/one',
      '/two',
      '/trpc/posts.list',
      '/trpc/none',
      '/uploads/a/b.jpg',
    ])
      await (await server.request(address)).arrayBuffer()
    await (await server.request('/trpc/viewer,posts.list?batch=1')).arrayBuffer()
    await server.postJson('/api/v1/post', {})
    await server.request('/api/v1/post', { method: 'PUT' })
    await eventually(() => figure(server, requests('other', '/api/v1/*', '4xx'))).toBe(1)
    expect(await figure(server, requests('GET', '/', '2xx'))).toBe(2)
    expect(await figure(server, requests('GET', 'other', '4xx'))).toBe(2)
    expect(await figure(server, requests('GET', '/trpc/posts.list', '2xx'))).toBe(1)
    expect(await figure(server, requests('GET', '/trpc/*', '4xx'))).toBe(1)
    expect(await figure(server, requests('GET', '/trpc/*', '2xx'))).toBe(1)
    expect(await figure(server, requests('GET', '/uploads/:folder/:file', '4xx'))).toBe(1)
    expect(await figure(server, requests('POST', '/api/v1/post', '4xx'))).toBe(1)
    expect(await figure(server, 'rangoli_http_request_duration_seconds_count{route="/"}')).toBe(2)
    expect(await scrape(server)).not.toMatch(/lotus|\/one|\/two|none",/)
  })

  test('have few labels, whatever is requested', async () => {
    const server = await startTestServer({ env })
    const addresses = Array.from({ length: 60 }, (_, i) => [
      `/${i}`,
      `/trpc/x${i}`,
      `/api/x${i}`,
      `/x${i}.php`,
    ]).flat()
    for (const address of addresses) await (await server.request(address)).arrayBuffer()
    for (const method of ['PATCH', 'DELETE', 'PROPFIND', 'X-Y']) await server.request('/', { method })
    const lines = (await scrape(server))
      .split('\n')
      .filter((line) => line.startsWith('rangoli_http_requests_total{'))
    expect(lines.length).toBeLessThanOrEqual(6)
  })

  test('count cached responses too', async () => {
    const server = await startTestServer({ env })
    await fillGallery(server, numberedPosts(1))
    const crowd = Array.from({ length: 40 }, async () => (await server.request('/')).arrayBuffer())
    await Promise.all(crowd)
    await eventually(() => figure(server, requests('GET', '/', '2xx'))).toBe(40)
  })
})

describe('metrics of generations', () => {
  test('count running, queued and finished ones, and time the engine', async () => {
    const { engine, held } = createHeldEngine()
    const server = await startTestServer({ env: { ...env, IMAGE_CONCURRENCY: '1' }, engine })
    const asha = await server.signUp()
    const ravi = await server.signUp()
    for (const prompt of ['One', 'Two']) await startUnwatched(asha, prompt)
    await startUnwatched(ravi, 'Three')
    expect(await figure(server, 'rangoli_generations_running')).toBe(1)
    expect(await figure(server, 'rangoli_generations_waiting')).toBe(2)
    expect(await figure(server, 'rangoli_generations_total{outcome="succeeded"}')).toBe(0)

    const { images } = await ravi.trpc.images.list.query()
    await ravi.trpc.images.cancel.mutate({ id: images[0]?.id ?? '' })
    await pause(20)
    held[0]?.release()
    await eventually(() => held.length).toBe(2)
    held[1]?.fail(new Error('The engine fails.'))
    await eventually(() => figure(server, 'rangoli_generations_running')).toBe(0)
    expect(await figure(server, 'rangoli_generations_waiting')).toBe(0)
    expect(await figure(server, 'rangoli_generations_total{outcome="succeeded"}')).toBe(1)
    expect(await figure(server, 'rangoli_generations_total{outcome="canceled"}')).toBe(1)
    expect(await figure(server, 'rangoli_generations_total{outcome="engine_failed"}')).toBe(1)
    expect(
      await figure(server, 'rangoli_engine_duration_seconds_count{engine="rangoli",outcome="ready"}'),
    ).toBe(1)
    expect(
      await figure(server, 'rangoli_engine_duration_seconds_count{engine="rangoli",outcome="failed"}'),
    ).toBe(1)
    expect(
      await figure(server, 'rangoli_engine_duration_seconds_sum{engine="rangoli",outcome="ready"}'),
    ).toBeGreaterThan(0.015)
  })

  test('count a cancelled one as stopped, not as a failure of the engine', async () => {
    const { engine } = createHeldEngine()
    const server = await startTestServer({ env, engine })
    const asha = await server.signUp()
    await startUnwatched(asha, 'One')
    const { images } = await asha.trpc.images.list.query()
    await asha.trpc.images.cancel.mutate({ id: images[0]?.id ?? '' })
    await eventually(() =>
      figure(server, 'rangoli_engine_duration_seconds_count{engine="rangoli",outcome="stopped"}'),
    ).toBe(1)
    expect(await figure(server, 'rangoli_generations_total{outcome="canceled"}')).toBe(1)
  })
})

describe('metrics of the site', () => {
  test('count posts and bytes', async () => {
    const first = await startTestServer({ env })
    await fillGallery(first, numberedPosts(3))
    const uploadsDirectory = path.join(first.directory, 'uploads')
    const before = await folderSize(uploadsDirectory)
    // Files from before the start are measured, later ones are added.
    const server = await startTestServer({ env, folder: first.directory })
    await eventually(() => figure(server, 'rangoli_uploads_bytes')).toBe(before)
    const asha = await server.signUp()
    const { id } = await asha.generate('A lotus')
    expect(await figure(server, 'rangoli_uploads_bytes')).toBe(await folderSize(uploadsDirectory))
    await asha.trpc.images.delete.mutate({ id })
    await asha.trpc.images.deletePermanently.mutate({ id })
    expect(await figure(server, 'rangoli_uploads_bytes')).toBe(before)
    expect(await figure(server, 'rangoli_posts')).toBe(3)
    expect(await figure(server, 'rangoli_database_bytes')).toBeGreaterThan(0)
  })
})

describe('metrics of the process', () => {
  test('have the names that dashboards expect', async () => {
    const server = await startTestServer({ env })
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'nodejs_heap_size_used_bytes',
      'nodejs_external_memory_bytes',
    ])
      expect(await figure(server, name)).toBeGreaterThan(0)
    await pause(50)
    const text = await scrape(server)
    for (const name of ['mean', 'p50', 'p99', 'max'])
      expect(text).toMatch(new RegExp(`^nodejs_eventloop_lag_${name}_seconds [\\d.e-]+$`, 'm'))
  })

  test('show a blocked event loop until the next scrape', async () => {
    const server = await startTestServer({ env })
    await scrape(server)
    // The monitor samples between turns of the event loop.
    await pause(50)
    const end = performance.now() + 300
    while (performance.now() < end);
    await pause(50)
    expect(await figure(server, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(0.2)
    await pause(50)
    expect(await figure(server, 'nodejs_eventloop_lag_max_seconds')).toBeLessThan(0.2)
  })

  test('do not mix the counts of two servers of one process', async () => {
    const [one, other] = [await startTestServer({ env }), await startTestServer({ env })]
    await (await one.request('/')).arrayBuffer()
    await eventually(() => figure(one, requests('GET', '/', '2xx'))).toBe(1)
    expect(await figure(other, requests('GET', '/', '2xx'))).toBeUndefined()
    await one.stop()
    expect(await figure(other, 'rangoli_posts')).toBe(0)
  })
})
