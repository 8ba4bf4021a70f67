import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { libraryCode } from '../errors/app-error.ts'

/** Name resolution and the addresses that may be connected to. */
export interface AddressRules {
  readonly resolve: ResolveHost
  readonly isAllowed: (address: string) => boolean
}

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

/** Resolves a name as the system does. */
export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true })

const reasons = {
  unknown: 'the host is unknown',
  unresolved: 'the host could not be looked up',
  not_allowed: 'the address of the host is not allowed',
} as const

/** Host that is not connected to: it is unknown, DNS failed, or one of its addresses is not allowed. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
  readonly reason: keyof typeof reasons

  constructor(reason: AddressError['reason'], options?: ErrorOptions) {
    super(reasons[reason], options)
    this.reason = reason
  }
}

/**
 * Resolves the host of a URL once and checks every address. The connection uses this result, because a second lookup could
 * return another address (DNS rebinding).
 *
 * @throws AddressError
 */
export async function pinAddress(url: URL, rules: AddressRules): Promise<LookupFunction> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(hostname)
  // node:http does not call `lookup` for an IP address, so this is the only check of one.
  const addresses = family === 0 ? await resolveName(hostname, rules) : [{ address: hostname, family }]
  const [first] = addresses
  if (!first || !addresses.every(({ address }) => rules.isAllowed(address))) {
    throw new AddressError('not_allowed')
  }
  return (_hostname, options, callback) =>
    options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family)
}

async function resolveName(hostname: string, rules: AddressRules): Promise<readonly LookupAddress[]> {
  try {
    return await rules.resolve(hostname)
  } catch (cause) {
    throw new AddressError(isNotFound(cause) ? 'unknown' : 'unresolved', { cause })
  }
}

/** Reports whether a lookup has found that a name has no addresses; other errors, such as timeouts, may pass. */
function isNotFound(error: unknown): boolean {
  const code = libraryCode(error)
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME'
}

/** IPv6 addresses that are allocated to hosts. @see https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** Returns true for public addresses, false for all special ones, including IPv4 addresses mapped to IPv6. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}

/** A range of IP addresses: its first address, and the number of leading bits that all have in common. */
export type AddressRange = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** Parses an IP address, or a range of them in CIDR notation. @returns null for anything else */
export function parseAddressRange(text: string): AddressRange | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  // Node's check rejects shortened IPv4 addresses, which `ipaddr` accepts.
  if (isIP(text) === 0 || text.includes('%')) return null
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Checks whether an address is in a range. An IPv4 address that is mapped to IPv6 is the IPv4 address. */
export function isInRange(address: string, [first, bits]: AddressRange): boolean {
  const parsed = ipaddr.process(address)
  return parsed.kind() === first.kind() && parsed.match([first, bits])
}

/** Time for which a server may take to answer, in milliseconds. Each is asked twice. */
const queryTimeoutMs = 2_000

/**
 * Creates a resolver that asks the DNS servers. The system's resolver, which `lookup` uses, occupies one of a few threads of
 * the process until it has an answer: names whose servers never answer could delay every other lookup.
 *
 * @param servers addresses of DNS servers, those of the system by default
 * @see https://nodejs.org/docs/latest-v20.x/api/dns.html#implementation-considerations
 */
export function createDnsResolver(servers?: readonly string[]): ResolveHost {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') {
      throw isNotFound(ipv4.reason) ? ipv6.reason : ipv4.reason
    }
    const answers = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    return answers.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  }
}

/** Reports whether a host of a URL is the machine of its reader. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)
}
