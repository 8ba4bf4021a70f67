import { expect, test } from 'vitest'
import { isInRange, isPublicAddress, parseAddressRange } from './addresses.ts'

const publicAddresses = `
  1.1.1.1 8.8.8.8 100.63.255.255 172.15.0.1 172.32.0.1 223.255.255.255
  2606:4700::6810:84e5 2a00:1450:4001:830::200e`

const specialAddresses = `
  0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255
  192.0.0.8 192.0.2.1 192.168.1.1 198.19.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
  :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1
  3fff::1 4000::1 2002:7f00:1:: fc00::1 fd12:3456:789a::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1`

test('tells public addresses from special ones', () => {
  const words = (list: string) => list.trim().split(/\s+/)
  expect(words(publicAddresses).filter((address) => !isPublicAddress(address))).toEqual([])
  expect(words(specialAddresses).filter(isPublicAddress)).toEqual([])
})

test.each([
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.4', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['::ffff:10.1.2.3', '10.1.2.3', true],
  ['fd00::/8', 'fd12::1', true],
  ['fd00::/8', 'fe80::1', false],
  ['::1', '::1', true],
  ['::/0', '127.0.0.1', false],
])('the range %s has the address %s: %s', (range, address, expected) => {
  const parsed = parseAddressRange(range)
  expect(parsed && isInRange(address, parsed)).toBe(expected)
})

test.each(['', '10', '10.1', '10.0.0.0/33', '10.0.0.0/-1', 'fe80::1%eth0', 'localhost', '0x7f.0.0.1'])(
  '%j is not a range of addresses',
  (text) => {
    expect(parseAddressRange(text)).toBeNull()
  },
)
