import { expect, test } from 'vitest'
import { streamProbe } from '../../../shared/stream-probe.ts'
import { freshAddress, startTestServer } from '../../../test/support/test-server.ts'

const { path, lines, proxiesHeader } = streamProbe

test('sends a fixed number of lines with the headers of streams', async () => {
  const server = await startTestServer()
  const response = await server.request(path)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    [proxiesHeader.toLowerCase()]: '0',
  })
  expect((await response.text()).trimEnd().split('\n')).toEqual(
    Array.from({ length: lines }, (_, index) => JSON.stringify({ line: index + 1, of: lines })),
  )
})

test('sends the first line at once', async () => {
  const server = await startTestServer()
  const { body } = await server.request(path)
  const reader = body?.getReader()
  const first = Buffer.from((await reader?.read())?.value ?? []).toString()
  expect(first).toContain('"line":1')
  expect(first).not.toContain(`"line":${lines}`)
  await reader?.cancel()
  expect((await server.request(path, { method: 'HEAD' })).status).toBe(200)
})

test('reports the number of proxies, not their addresses', async () => {
  const server = await startTestServer()
  const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' }
  const response = await server.request(path, { method: 'HEAD', headers })
  expect(response.headers.get(proxiesHeader)).toBe('2')
  expect(JSON.stringify([...response.headers])).not.toMatch(/198\.51|203\.0/)
})

test('allows 30 requests per minute and network', async () => {
  const server = await startTestServer()
  const ask = (address: string) =>
    server.request(path, { method: 'HEAD', headers: { 'x-forwarded-for': address } })
  const [asha, ravi] = [freshAddress(), freshAddress()]
  for (let time = 1; time <= 30; time += 1) expect((await ask(asha)).status).toBe(200)
  const rejected = await ask(asha)
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(ravi)).status).toBe(200)
})
