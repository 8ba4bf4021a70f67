import { afterAll, beforeAll } from 'vitest'
import { createHttpsFetch, type Fetch } from './https-fetch.ts'
import { password } from './user.ts'
import { startProvider, type Provider } from './provider.ts'
import { freePorts, makeCertificate, type Proxy, type ProxyPlace } from './proxy-process.ts'
import { makeFolder, startServer, type ServerProcess } from './server-process.ts'

/** A server process behind an HTTPS proxy, with a provider that the test controls. */
export interface ProxiedSite {
  /** HTTPS address of the proxy. */
  readonly url: string
  /** HTTP address of the proxy. */
  readonly plainUrl: string
  readonly server: ServerProcess
  readonly provider: Provider
  /** Calls the site from an address of 127.0.0.0/8, by which the limits on sign-in count. */
  fetchFrom(address: string): Fetch
  /** Signs up as a new user. */
  signUp(fetch: Fetch): Promise<Response>
}

/** Starts server, provider and proxy before the tests of a `describe`, and stops them after. */
export function useProxiedSite(start: (place: ProxyPlace) => Promise<Proxy>): () => ProxiedSite {
  let site: ProxiedSite | undefined
  const ends: (() => Promise<unknown>)[] = []
  let users = 0

  beforeAll(async () => {
    const folder = await makeFolder()
    ends.unshift(folder.remove)
    const provider = await startProvider()
    ends.unshift(provider.stop)
    const ports = await freePorts()
    const url = `https://127.0.0.1:${ports.https}`
    const server = await startServer(folder.path, { ...provider.env, PUBLIC_URL: url, TRUST_PROXY: '1' })
    ends.unshift(server.stop)
    const files = makeCertificate(folder.path)
    const proxy = await start({
      folder: folder.path,
      ports,
      upstream: new URL(server.url).host,
      ...files,
    })
    ends.unshift(proxy.stop)
    site = {
      url,
      plainUrl: `http://127.0.0.1:${ports.http}`,
      server,
      provider,
      fetchFrom: (address) => createHttpsFetch(files.certificate, address),
      signUp(fetch) {
        users += 1
        return fetch(`${url}/api/auth/sign-up/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: url },
          body: JSON.stringify({ name: 'Asha Rao', email: `proxied-${users}@example.org`, password }),
        })
      },
    }
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  return () => {
    if (!site) throw new Error('The site runs in tests and hooks only.')
    return site
  }
}
