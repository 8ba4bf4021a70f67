import { expect, test } from 'vitest'
import { streamProbe } from '../../../shared/stream-probe.ts'
import { freshAddress, startTestServer } from '../../../test/support/test-server.ts'

const { path, lines, proxiesHeader } = streamProbe

test('a few lines come, under the headers of streams, and no more', async () => {
  const server = await startTestServer()
  const answer = await server.request(path)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    [proxiesHeader.toLowerCase()]: '0',
  })
  expect((await answer.text()).trimEnd().split('\n')).toEqual(
    Array.from({ length: lines }, (_, index) => JSON.stringify({ line: index + 1, of: lines })),
  )
})

test('the first line does not wait for the last', async () => {
  const server = await startTestServer()
  const { body } = await server.request(path)
  const reader = body?.getReader()
  const first = Buffer.from((await reader?.read())?.value ?? []).toString()
  expect(first).toContain('"line":1')
  expect(first).not.toContain(`"line":${lines}`)
  await reader?.cancel()
  expect((await server.request(path, { method: 'HEAD' })).status).toBe(200)
})

test('it says how many proxies a request came through, and not which', async () => {
  const server = await startTestServer()
  const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' }
  const answer = await server.request(path, { method: 'HEAD', headers })
  expect(answer.headers.get(proxiesHeader)).toBe('2')
  expect(JSON.stringify([...answer.headers])).not.toMatch(/198\.51|203\.0/)
})

test('a network gets it thirty times a minute', async () => {
  const server = await startTestServer()
  const ask = (address: string) =>
    server.request(path, { method: 'HEAD', headers: { 'x-forwarded-for': address } })
  const [asha, ravi] = [freshAddress(), freshAddress()]
  for (let time = 1; time <= 30; time += 1) expect((await ask(asha)).status).toBe(200)
  const refused = await ask(asha)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(ravi)).status).toBe(200)
})
