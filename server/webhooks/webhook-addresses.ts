import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import {
  isInRange,
  isPublicAddress,
  pinAddress,
  resolveHost,
  type AddressRange,
  type ResolveHost,
} from '../network/addresses.ts'

interface WebhookAddressOptions {
  /** Special addresses that webhooks may have nevertheless. */
  readonly allowed: readonly AddressRange[]
  /** Origin of the site; null if it is unknown. */
  readonly publicOrigin: string | null
  /** Defaults to the system's resolver. */
  readonly resolve?: ResolveHost | undefined
}

/**
 * Decides which URLs webhooks may have: https with public addresses other than those of this machine and the site, and http
 * or https with addresses that the operator allows.
 */
export class WebhookAddresses {
  readonly #options: WebhookAddressOptions

  constructor(options: WebhookAddressOptions) {
    this.#options = options
  }

  /**
   * Resolves the host of a URL and checks its addresses.
   *
   * @returns the lookup of the connection, see `pinAddress`
   * @throws AddressError
   */
  async pin(url: URL): Promise<LookupFunction> {
    const { allowed, publicOrigin, resolve = resolveHost } = this.#options
    const isSite = publicOrigin !== null && nameOf(new URL(publicOrigin)) === nameOf(url)
    const own = isSite || url.protocol !== 'https:' ? null : ownAddresses()
    return pinAddress(url, {
      resolve,
      isAllowed: (address) =>
        allowed.some((range) => isInRange(address, range)) ||
        (own !== null && isPublicAddress(address) && !own.has(address)),
    })
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
