import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { EngineFault } from './engine-fault.ts'
import { isPublicAddress } from './public-address.ts'

/** How names become addresses, and which of those may be connected to. */
export interface AddressRules {
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>
  readonly isAllowed: (address: string) => boolean
}

/** The system's resolver, and the public Internet alone. */
export const publicAddresses: AddressRules = {
  resolve: (hostname) => lookup(hostname, { all: true }),
  isAllowed: isPublicAddress,
}

/**
 * Looks a host up once and checks every address it has. The connection then takes this lookup instead of one of its
 * own, for which the name's owner could have another answer ready.
 *
 * @throws EngineFault where the host or one of its addresses may not be connected to
 */
export async function pinAddress(url: URL, rules: AddressRules): Promise<LookupFunction> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(hostname)
  // node:http does not look up what is an address already, so that this is its only check.
  const addresses = family === 0 ? await resolveName(hostname, rules) : [{ address: hostname, family }]
  const [first] = addresses
  if (!first || !addresses.every(({ address }) => rules.isAllowed(address))) {
    throw new EngineFault('engine_failed', "the picture's address is not a public one")
  }
  return (_hostname, options, callback) =>
    options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family)
}

async function resolveName(hostname: string, rules: AddressRules): Promise<readonly LookupAddress[]> {
  try {
    return await rules.resolve(hostname)
  } catch {
    throw new EngineFault('engine_failed', "the picture's host is not known")
  }
}
