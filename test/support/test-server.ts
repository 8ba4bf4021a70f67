import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { SucceededImage } from '../../shared/images.ts'
import { parseConfig } from '../../server/config/config.ts'
import { rejectSecrets, secretsOf } from './secrets.ts'
import { createServices, type ServiceOverrides, type Services } from '../../server/services.ts'
import { openLog } from '../../server/observability/log.ts'
import { createApp } from '../../server/http/app.ts'
import { connectionLimits, Connections } from '../../server/http/connections.ts'
import { listen } from '../../server/http/listen.ts'
import { createInstantEngine } from './engine.ts'
import { makeFolder } from './folder.ts'
import { createTestClient, generateImage } from './trpc-client.ts'

/** Who sends a request: somebody signed in, the holder of a token, or nobody. */
export type Credential = { readonly cookie: string } | { readonly bearer: string } | undefined

/** A user signed in to a test server. */
export interface TestUser {
  readonly id: string
  readonly cookie: string
  readonly trpc: ReturnType<TestServer['client']>
  /** Generates an image and waits for it. */
  readonly generate: (prompt: string) => Promise<SucceededImage>
}

export type TestServer = Awaited<ReturnType<typeof openTestServer>>

interface TestOptions extends ServiceOverrides {
  /** Environment variables beside the folder's own. */
  readonly env?: Record<string, string>
  /** A folder of an earlier server, to start again on its data; it is left alone at the end. */
  readonly folder?: string
  /** Where the log goes; nowhere by default. */
  readonly logTo?: { write(line: string): void }
}

/** The password of everybody who signs up here. */
const testPassword = 'correct horse'

let addressesSoFar = 0

/** An address that no other client of this test file has, as better-auth's limiter counts per address. */
export function freshAddress(): string {
  addressesSoFar += 1
  return `198.18.${Math.floor(addressesSoFar / 250)}.${(addressesSoFar % 250) + 1}`
}

/** A server for one test, stopped when it is over. */
export async function startTestServer(options?: TestOptions): Promise<TestServer> {
  const server = await openTestServer(options)
  onTestFinished(server.stop)
  return server
}

/** A server for all tests of a file or describe that leave each other's data alone. */
export function shareTestServer(options?: TestOptions): () => TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await openTestServer(options)
  })
  afterAll(() => server?.stop())
  return () => {
    if (!server) throw new Error('The shared server runs only while tests do.')
    return server
  }
}

/**
 * A whole server on a free port of the loopback address, with a database and uploads folder of its own. Its engine
 * answers at once unless a test brings another. One proxy is trusted, so that clients can have addresses of their own.
 */
async function openTestServer({ env, folder, logTo, ...overrides }: TestOptions = {}) {
  const directory = folder ?? (await makeFolder())
  const config = parseConfig({ HOST: '127.0.0.1', PORT: '0', TRUST_PROXY: '1', ...env }, directory)
  const logged: string[] = []
  const secrets = [...secretsOf(env ?? {}), testPassword]
  const write = (line: string) => {
    logged.push(line)
    logTo?.write(line)
  }
  const log = openLog('debug', { write })
  const services = await createServices(config, log, { engine: createInstantEngine(), ...overrides })
  await services.generations.recover()
  const client = {
    directory: path.join(directory, 'client'),
    script: '/assets/main.js',
    imports: [],
    styles: [],
    reference: { script: '/assets/reference.js', imports: [], styles: ['/assets/reference.css'] },
  }
  await mkdir(path.join(client.directory, 'assets'), { recursive: true })
  await writeFile(path.join(client.directory, client.script), 'export {}')
  const connections = new Connections(connectionLimits(config), log)
  const listening = await listen(createApp(services, client), config.host, config.port, connections)
  const url = `http://127.0.0.1:${listening.port}`

  /** Sends a request to the server under test. */
  const request = (pathname: string, init?: RequestInit) =>
    fetch(url + pathname, { redirect: 'manual', ...init })

  /** The headers by which somebody is known, and a write is allowed. */
  function headersOf(who: Credential): Record<string, string> {
    if (!who) return {}
    return 'cookie' in who ? { cookie: who.cookie, origin: url } : { authorization: `Bearer ${who.bearer}` }
  }

  /** A typed client, as developers use it; `headers` say who calls. */
  function typedClient(headers: Record<string, string> = {}) {
    return createTestClient(url, () => headers)
  }

  /** Posts to an address of the accounts' own, from an address that nobody else has. */
  function postAccount(pathname: string, body: unknown, headers: Record<string, string> = {}) {
    return request(`/api/auth${pathname}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: url,
        'x-forwarded-for': freshAddress(),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  /** Signs a new user up through the accounts' own transport. */
  async function signUp(name = 'Asha Rao'): Promise<TestUser> {
    const email = `user-${freshAddress()}@example.org`
    const answer = await postAccount('/sign-up/email', { name, email, password: testPassword })
    if (!answer.ok) throw new Error(`Sign-up failed: ${answer.status} ${await answer.text()}`)
    const { user } = (await answer.json()) as { user: { id: string } }
    secrets.push(cookieOf(answer))
    return userOf({ client: typedClient, headersOf }, user.id, cookieOf(answer))
  }

  /** Posts JSON, or a text as it is. */
  function postJson(pathname: string, body: unknown, who?: Credential, headers: Record<string, string> = {}) {
    return request(pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(who), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  async function close(): Promise<void> {
    await services.generations.stop(0)
    await listening.close(0)
    await services.db.destroy()
    if (!folder) await rm(directory, { recursive: true, force: true })
    rejectSecrets(logged.join(''), secrets)
  }
  let closed: Promise<void> | undefined

  return {
    url,
    directory,
    services: services satisfies Services,
    request,
    headersOf,
    postJson,
    postAccount,
    client: typedClient,
    signUp,
    /** Stops as a signal does, without grace; once is enough. */
    stop: () => (closed ??= close()),
  }
}

/** TestUser whom the server knows by a cookie. */
export function userOf(
  { client, headersOf }: Pick<TestServer, 'client' | 'headersOf'>,
  id: string,
  cookie: string,
): TestUser {
  const trpc = client(headersOf({ cookie }))
  return { id, cookie, trpc, generate: (prompt) => generateImage(trpc, prompt) }
}

/** What a browser would send back of the cookies that an answer set. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Starts a generation without watching it. */
export async function startAndLeave(user: TestUser, prompt: string): Promise<void> {
  await user.trpc.images.generate.mutate({ prompt })
}
