import * as fc from 'fast-check'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { tries } from '../../test/fuzz/seed.ts'
import { createClientAddress } from './client-address.ts'

const peer = '203.0.113.7'

/** The client address that the server finds; the header may have any number of lines. */
async function addressOf(proxyHops: number, forwarded: readonly string[]): Promise<string> {
  const clientAddress = createClientAddress({ proxyHops }, pino({ level: 'silent' }))
  const app = new Hono().get('/', (c) => c.text(clientAddress(c)))
  const headers = new Headers()
  for (const line of forwarded) headers.append('x-forwarded-for', line)
  const incoming = { socket: { remoteAddress: peer, remotePort: 5, remoteFamily: 'IPv4' } }
  return (await app.request('/', { headers }, { incoming })).text()
}

const address = fc.oneof(fc.ipV4(), fc.ipV6())
/** Header values that a client may send, also forged ones. */
const forged = fc.oneof(
  address,
  fc.constantFrom('', ',', ', ,', 'unknown', '::1', peer, '1.2.3.4, 5.6.7.8', '[::1]:80', '1.2.3.4:5'),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef.:,[]%_ "')) }),
)
const forgery = fc.array(forged, { maxLength: 4 })

test('the client address is what the outermost proxy saw, or the connecting address without one', async () => {
  const chain = fc.array(address, { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(forgery, chain, fc.boolean(), async (lines, seen, onLinesOfTheirOwn) => {
      // Each proxy appends the address of its client.
      const appended = onLinesOfTheirOwn ? [...lines, ...seen] : [[...lines, ...seen].join(', ')]
      expect(await addressOf(seen.length, appended)).toBe(seen[0] ?? peer)
    }),
    tries(500),
  )
})

test('a forwarded address that is none is the connecting address', async () => {
  for (const line of ['', 'unknown', '1.2.3.4:5', '[::1]:80', '1.2.3.4, x'])
    expect(await addressOf(1, [line])).toBe(peer)
})
