import { isIPv6 } from 'node:net'

/**
 * What an address is limited by: itself, or for IPv6 its /64, which one client has to itself and could write from a
 * new address of each time.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`)
  return expand(hostname.slice(1, -1)).slice(0, 4).join(':')
}

/** The eight groups of an IPv6 address in its shortest form. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(gap).fill('0'), ...after]
}
