import { TIMEOUT } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { libraryCode } from '../errors/app-error.ts'
import {
  isInRange,
  isPublicAddress,
  pinAddress,
  resolveHost,
  createDnsResolver,
  type AddressRange,
  type ResolveHost,
} from './addresses.ts'

interface PinUrlOptions {
  /** Special addresses that are allowed nevertheless. */
  readonly allowed: readonly AddressRange[]
  /** Origin of the site; null if it is unknown. */
  readonly publicOrigin: string | null
  /** Defaults to `resolveChosenHost`. */
  readonly resolve?: ResolveHost | undefined
}

/**
 * Resolves the host of a URL that a user, a browser or a program named, and checks its addresses.
 *
 * @returns the lookup of the connection, see `pinAddress`
 * @throws AddressError
 */
export type PinUrl = (url: URL) => Promise<LookupFunction>

/**
 * Decides which URLs of webhooks, push services and programs are requested: https with public addresses other than those of this machine and the site, and http
 * or https with addresses that the operator allows. Ports are 443 and those from 1024, and 80 for allowed addresses.
 */
export function createPinUrl(options: PinUrlOptions): PinUrl {
  const { allowed, publicOrigin, resolve = (name) => resolveChosenHost(name, allowed) } = options
  return (url) => {
    const isSite = publicOrigin !== null && nameOf(new URL(publicOrigin)) === nameOf(url)
    const own = isSite || url.protocol !== 'https:' ? null : ownAddresses()
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    // The other ports below 1024 are those of mail servers and the like.
    const isUsual = port === 443 || port >= 1_024
    return pinAddress(url, {
      resolve,
      isAllowed: (address) =>
        ((isUsual || port === 80) && allowed.some((range) => isInRange(address, range))) ||
        (isUsual && own !== null && isPublicAddress(address) && !own.has(address)),
    })
  }
}

const resolveByDns = createDnsResolver()

/**
 * Resolves a name by DNS. Names of private addresses may be known to the system only, such as those in /etc/hosts.
 *
 * @param allowed special addresses that are allowed
 */
async function resolveChosenHost(name: string, allowed: readonly AddressRange[]) {
  try {
    return await resolveByDns(name)
  } catch (error) {
    if (allowed.length === 0 || libraryCode(error) === TIMEOUT) throw error
    return resolveHost(name)
  }
}

/** Returns the host of a URL without the dot with which a full name may end. */
function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

/** Addresses of this machine. Read each time, as they change. */
function ownAddresses(): ReadonlySet<string> {
  const interfaces = Object.values(networkInterfaces())
  return new Set(interfaces.flatMap((addresses = []) => addresses.map(({ address }) => address)))
}
