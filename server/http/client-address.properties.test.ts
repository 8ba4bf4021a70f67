import * as fc from 'fast-check'
import { isIP } from 'node:net'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { tries } from '../../test/fuzz/seed.ts'
import { createClientAddress } from './client-address.ts'

const peer = '203.0.113.7'

/** What the server takes for the client's address, where the header came in any number of lines. */
async function addressOf(proxyHops: number, forwarded: readonly string[]): Promise<string> {
  const clientAddress = createClientAddress({ proxyHops }, pino({ level: 'silent' }))
  const app = new Hono().get('/', (c) => c.text(clientAddress(c)))
  const headers = new Headers()
  for (const line of forwarded) headers.append('x-forwarded-for', line)
  const incoming = { socket: { remoteAddress: peer, remotePort: 5, remoteFamily: 'IPv4' } }
  return (await app.request('/', { headers }, { incoming })).text()
}

const address = fc.oneof(fc.ipV4(), fc.ipV6())
/** What a client may write into a header: also lists, nonsense, and addresses of others. */
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

test('where no proxy is trusted, no header changes the address', async () => {
  await fc.assert(
    fc.asyncProperty(forgery, async (lines) => {
      expect(await addressOf(0, lines)).toBe(peer)
    }),
    tries(300),
  )
})

test('behind proxies the address is what the outermost of them saw, whatever stood there before', async () => {
  const chain = fc.array(address, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(forgery, chain, fc.boolean(), async (lines, seen, onLinesOfTheirOwn) => {
      // Each proxy appends whom it was called by; the first of them is called by the client.
      const appended = onLinesOfTheirOwn ? [...lines, ...seen] : [[...lines, ...seen].join(', ')]
      expect(await addressOf(seen.length, appended)).toBe(seen[0])
    }),
    tries(300),
  )
})

test('what is no address is never taken for one', async () => {
  await fc.assert(
    fc.asyncProperty(forgery, fc.integer({ min: 1, max: 5 }), async (lines, hops) => {
      expect(await addressOf(hops, lines)).toSatisfy((found: string) => isIP(found) !== 0)
    }),
    tries(300),
  )
})
