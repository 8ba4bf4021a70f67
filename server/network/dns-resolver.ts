import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { ResolveHost } from './addresses.ts'

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
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
    const answers = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    return answers.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  }
}
