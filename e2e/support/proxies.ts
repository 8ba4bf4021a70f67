import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { findExecutable } from '../../test/support/programs.ts'
import { type Provider, startProvider } from './provider.ts'
import { makeFolder, type ServerProcess, startServer } from './server-process.ts'
import { password } from './user.ts'

/** Starts Caddy with examples/caddy/Caddyfile at a local address with a test certificate. */
export function startCaddy(place: ProxyPlace): Promise<Proxy> {
  const site = adapted('caddy/Caddyfile', [
    ['gallery.example.org {', `127.0.0.1 {\n\ttls ${place.certificate} ${place.key}`],
    ['127.0.0.1:3000', place.upstream],
  ])
  const globalConfig = `{
	admin off
	default_bind 127.0.0.1
	https_port ${place.ports.https}
	http_port ${place.ports.http}
}
`
  const file = path.join(place.folder, 'Caddyfile')
  writeFileSync(file, globalConfig + site)
  return startProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', file], place)
}

/** Starts nginx with examples/nginx/rangoli.conf, included in a file like Debian's nginx.conf. */
export function startNginx(place: ProxyPlace): Promise<Proxy> {
  const { folder, ports } = place
  const letsEncrypt = '/etc/letsencrypt/live/gallery.example.org'
  const site = adapted('nginx/rangoli.conf', [
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ', `listen 127.0.0.1:${ports.https} `],
    [`${letsEncrypt}/fullchain.pem`, place.certificate],
    [`${letsEncrypt}/privkey.pem`, place.key],
    ['gallery.example.org', '127.0.0.1'],
    ['127.0.0.1:3000', place.upstream],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const globalConfig = `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  gzip on;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  include ${folder}/rangoli.conf;
}
`
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'rangoli.conf'), site)
  writeFileSync(path.join(folder, 'nginx.conf'), globalConfig)
  const args = ['-p', folder, '-e', 'stderr', '-c', path.join(folder, 'nginx.conf')]
  return startProxy('nginx', args, place)
}

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

/** Addresses and files of a proxy. */
export interface ProxyPlace {
  /** Folder that only this proxy uses. */
  readonly folder: string
  readonly ports: { readonly https: number; readonly http: number }
  /** Host and port of the server. */
  readonly upstream: string
  /** Files of the certificate and its key. */
  readonly certificate: string
  readonly key: string
}

/** A listening proxy; its caller stops it. */
export interface Proxy {
  stop(): Promise<void>
}

/** Two unused ports. */
async function freePorts(): Promise<ProxyPlace['ports']> {
  const [https, http] = await Promise.all([freePort(), freePort()])
  return { https, http }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Creates a certificate for 127.0.0.1 and its key as files in a folder. */
function makeCertificate(folder: string): Pick<ProxyPlace, 'certificate' | 'key'> {
  const certificate = path.join(folder, 'certificate.pem')
  const key = path.join(folder, 'key.pem')
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-days', '2', '-subj', '/CN=rangoli', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', [...options, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return { certificate, key }
}

/** Content of a file of examples/ with words replaced. @throws if it does not contain one of them */
export function adapted(file: string, words: readonly (readonly [string, string])[]): string {
  let content = readFileSync(path.resolve(import.meta.dirname, '../../examples', file), 'utf8')
  for (const [word, other] of words) {
    if (!content.includes(word)) throw new Error(`${file} does not contain ${word}.`)
    content = content.replaceAll(word, other)
  }
  return content
}

/**
 * Starts a proxy and waits until it listens.
 *
 * @throws if the program is not installed, or exits
 */
export async function startProxy(
  program: string,
  args: readonly string[],
  { folder, ports }: Pick<ProxyPlace, 'folder' | 'ports'>,
): Promise<Proxy> {
  const file = findExecutable([program])
  if (file === null) throw new Error(`${program} is not installed.`)
  const child = spawn(file, args, {
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = once(child, 'close')
  const ended = text(child.stderr).then((said) => {
    throw new Error(`${program} ended: ${said}`)
  })
  // Not awaited after the stop.
  ended.catch(() => {})
  const isRunning = () => child.exitCode === null && child.signalCode === null
  await Promise.race([Promise.all([ports.https, ports.http].map((port) => listens(port, isRunning))), ended])
  if (!isRunning()) await ended
  return {
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

/** Waits until a port accepts connections or the program has ended; the timeout of the test bounds it. */
async function listens(port: number, isAwaited: () => boolean): Promise<void> {
  while (isAwaited()) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

type FetchInit = Omit<RequestInit, 'signal'> & { readonly signal?: AbortSignal | null | undefined }

/** Like `fetch`, but does not decompress the body. */
export type Fetch = (url: string | URL | Request, init?: FetchInit) => Promise<Response>

/**
 * Creates a `fetch` that trusts a certificate and sends requests from a loopback address.
 *
 * @param certificate path of a PEM file
 * @param from local address, any of 127.0.0.0/8
 */
function createHttpsFetch(certificate: string, from: string): Fetch {
  const ca = readFileSync(certificate)
  return async (url, init = {}) => {
    const outgoing = new Request(url, { ...init, signal: init.signal ?? null })
    const body = Buffer.from(await outgoing.arrayBuffer())
    const { method, signal } = outgoing
    const headers = Object.fromEntries(outgoing.headers)
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      request(outgoing.url, { method, headers, signal, ca, localAddress: from, agent: false }, resolve)
        .on('error', reject)
        .end(body)
    })
    return toResponse(incoming)
  }
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) headers.append(name, value)
  const status = incoming.statusCode ?? 0
  const isEmpty = status === 204 || status === 304
  if (isEmpty) incoming.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>), {
    status,
    headers,
  })
}
