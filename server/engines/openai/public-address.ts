import { BlockList, isIPv4 } from 'node:net'

/** IANA's special-purpose registry: loopback, private, link-local, shared, documentation, multicast, reserved. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** Within the addresses that are given out at all: those that lead to an IPv4 address, and documentation. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = blockList('ipv4', special4)
const global6 = blockList('ipv6', ['2000::/3'])
const notGlobal6 = blockList('ipv6', special6)

/** Whether an IP address belongs to a computer on the public Internet. An IPv4 address written as IPv6 never does. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  const bare = address.replace(/%.*$/, '')
  return global6.check(bare, 'ipv6') && !notGlobal6.check(bare, 'ipv6')
}

function blockList(family: 'ipv4' | 'ipv6', subnets: string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
