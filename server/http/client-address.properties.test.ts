import * as fc from 'fast-check'
import { isIP } from 'node:net'
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
  fc.constantFrom(
    '',
    ',',
    ', ,',
    'unknown',
    '127.0.0.1',
    '::1',
    peer,
    '1.2.3.4, 5.6.7.8',
    '[::1]:80',
    '1.2.3.4:5',
  ),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef.:,[]%_ "')) }),
)
const forgery = fc.array(forged, { maxLength: 4 })

test('without a trusted proxy no header changes the client address', async () => {
  await fc.assert(
    fc.asyncProperty(forgery, async (lines) => {
      expect(await addressOf(0, lines)).toBe(peer)
    }),
    tries(300),
  )
})

test('behind trusted proxies the client address is the one that the outermost proxy saw', async () => {
  const chain = fc.array(address, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(forgery, chain, fc.boolean(), async (lines, seen, onLinesOfTheirOwn) => {
      // Each proxy appends the address of its client.
      const appended = onLinesOfTheirOwn ? [...lines, ...seen] : [[...lines, ...seen].join(', ')]
      expect(await addressOf(seen.length, appended)).toBe(seen[0])
    }),
    tries(300),
  )
})

test('the client address is always a valid IP address', async () => {
  await fc.assert(
    fc.asyncProperty(forgery, fc.integer({ min: 1, max: 5 }), async (lines, hops) => {
      expect(await addressOf(hops, lines)).toSatisfy((found: string) => isIP(found) !== 0)
    }),
    tries(300),
  )
})
