import type { Config } from '../config/config.ts'
import { note, ok, type Finding } from './finding.ts'

const thisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether the address that people reach the site at fits signing in there. */
export function checkAddress({ publicOrigin, proxyHops }: Config): Finding[] {
  if (publicOrigin === null) {
    if (proxyHops === 0) return []
    return [
      note(
        'TRUST_PROXY is set without PUBLIC_URL: which site people sign in to is taken from what the proxy says.',
        'Set PUBLIC_URL to the address that people use.',
      ),
    ]
  }
  const { protocol, hostname } = new URL(publicOrigin)
  if (protocol === 'http:') {
    if (thisMachine.test(hostname)) return []
    return [
      note(
        `PUBLIC_URL is ${publicOrigin}: passwords and sessions travel unencrypted.`,
        'Have a proxy speak https, and set PUBLIC_URL to its address.',
      ),
    ]
  }
  if (proxyHops > 0) return [ok('PUBLIC_URL speaks https: session cookies are sent by https only.')]
  return [
    note(
      'PUBLIC_URL speaks https, so a proxy does, and TRUST_PROXY is off: everybody counts as one visitor to the limits by address.',
      'Set TRUST_PROXY to the number of proxies, such as 1.',
    ),
  ]
}
