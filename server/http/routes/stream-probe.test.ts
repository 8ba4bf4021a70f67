import { expect, test } from 'vitest'
import { streamProbe } from '../../../shared/stream-probe.ts'
import { freshAddress, shareTestServer } from '../../../test/support/test-server.ts'

const { path, lines, proxiesHeader } = streamProbe
const server = shareTestServer()

function probe(address: string, method = 'GET') {
  return server().request(path, { method, headers: { 'x-forwarded-for': address } })
}

test('sends the first of a fixed number of lines at once, with the headers of streams', async () => {
  const response = await probe(freshAddress())
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader?.read())?.value ?? ''
  expect(text).toBe(`${JSON.stringify({ line: 1, of: lines })}\n`)
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
    text += chunk.value
  expect(text.trimEnd().split('\n')).toHaveLength(lines)
})

test('reports the number of proxies, not their addresses', async () => {
  const { headers } = await probe('198.51.100.7, 203.0.113.9', 'HEAD')
  expect(headers.get(proxiesHeader)).toBe('2')
  expect(JSON.stringify([...headers])).not.toMatch(/198\.51|203\.0/)
})

test('allows 30 requests per minute and network', async () => {
  const [asha, ravi] = [freshAddress(), freshAddress()]
  for (let time = 1; time <= 30; time += 1) expect((await probe(asha, 'HEAD')).status).toBe(200)
  const rejected = await probe(asha, 'HEAD')
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await probe(ravi, 'HEAD')).status).toBe(200)
})
