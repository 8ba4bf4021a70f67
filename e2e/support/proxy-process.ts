import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { findExecutable } from '../../test/support/programs.ts'

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
export async function freePorts(): Promise<ProxyPlace['ports']> {
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
export function makeCertificate(folder: string): Pick<ProxyPlace, 'certificate' | 'key'> {
  const certificate = path.join(folder, 'certificate.pem')
  const key = path.join(folder, 'key.pem')
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-days', '2', '-subj', '/CN=rangoli', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
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
