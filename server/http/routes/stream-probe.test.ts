import { expect, test } from 'vitest'
import { streamProbe } from '../../../shared/stream-probe.ts'
import { freshAddress, shareTestServer } from '../../../test/support/test-server.ts'

const { path, proxiesHeader } = streamProbe
const server = shareTestServer()

function probe(address: string) {
  return server().request(path, { method: 'HEAD', headers: { 'x-forwarded-for': address } })
}

test('reports the number of proxies, not their addresses', async () => {
  const { headers } = await probe('198.51.100.7, 203.0.113.9')
  expect(headers.get(proxiesHeader)).toBe('2')
  expect(JSON.stringify([...headers])).not.toMatch(/198\.51|203\.0/)
})

test('allows 30 requests per minute and network', async () => {
  const [asha, ravi] = [freshAddress(), freshAddress()]
  for (let time = 1; time <= 30; time += 1) expect((await probe(asha)).status).toBe(200)
  const rejected = await probe(asha)
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await probe(ravi)).status).toBe(200)
})
