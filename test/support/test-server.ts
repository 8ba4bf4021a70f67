import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { SucceededImage } from '../../shared/images.ts'
import type { Post } from '../../shared/posts.ts'
import { parseConfig } from '../../server/config/config.ts'
import { rejectSecrets, secretsOf } from './secrets.ts'
import { createServices, type ServiceOverrides } from '../../server/services.ts'
import type { Services } from '../../server/trpc/context.ts'
import { openLog } from '../../server/observability/log.ts'
import { createApp } from '../../server/http/app.ts'
import { connectionLimits, Connections, listen } from '../../server/http/connections.ts'
import { createPostgresDatabase, postgresEnvironment } from './databases.ts'
import { createEmptyDatabase } from './empty-database.ts'
import { createInstantEngine } from './engine.ts'
import { makeFolder } from './folder.ts'
import { rememberedHashing } from './password-hashing.ts'
import { createTestClient, generateImage } from './trpc-client.ts'

/** Credentials of a request: a session cookie, a bearer token, or none. */
export type Credential = { readonly cookie: string } | { readonly bearer: string } | undefined

/** A user signed in to a test server. */
export interface TestUser {
  readonly id: string
  readonly cookie: string
  readonly trpc: ReturnType<TestServer['client']>
  /** Generates an image and waits for it. */
  readonly generate: (prompt: string) => Promise<SucceededImage>
  /** Generates an image and shares it. */
  readonly share: (prompt: string, options?: object) => Promise<Post>
}

export type TestServer = Awaited<ReturnType<typeof openTestServer>>

interface TestOptions extends ServiceOverrides {
  /** Environment variables. */
  readonly env?: Record<string, string>
  /** Folder of an earlier server, whose data is reused. Not removed when the server stops. */
  readonly folder?: string
}

/** Password of all users that `signUp` creates. */
const testPassword = 'correct horse'

/** Interval at which a test server looks for mails and deliveries of webhooks. Tests that wait for them would mostly wait for this. */
const queueCheckMs = 100

/** Variable of servers whose webhooks have an endpoint in the test. Others look for deliveries as seldom as in production. */
const webhookVariable = 'WEBHOOK_ALLOWED_ADDRESSES'

let addressesSoFar = 0

/** Returns a new IP address, as better-auth's rate limits count per address. */
export function freshAddress(): string {
  addressesSoFar += 1
  return `198.18.${Math.floor(addressesSoFar / 250)}.${(addressesSoFar % 250) + 1}`
}

/** Starts a server for one test. */
export async function startTestServer(options?: TestOptions): Promise<TestServer> {
  const server = await openTestServer(options)
  onTestFinished(server.stop)
  return server
}

/** Starts a server for all tests of a file or `describe`. */
export function shareTestServer(options?: TestOptions): () => TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await openTestServer(options)
  })
  afterAll(() => server?.stop())
  return () => {
    if (!server) throw new Error('The shared server is available only while tests run.')
    return server
  }
}

/**
 * Starts a server on a free port of the loopback address, with its own database and uploads folder, an instant engine
 * unless `env` configures engines, and one trusted proxy, so that tests can choose client addresses.
 */
async function openTestServer({ env, folder, ...overrides }: TestOptions = {}) {
  const directory = folder ?? (await makeFolder())
  // Named after the folder, so that a later server of the same folder has the same database.
  const postgres = await createPostgresDatabase(path.basename(directory).toLowerCase())
  const config = parseConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      TRUST_PROXY: '1',
      ...(postgres && postgresEnvironment(postgres.url)),
      ...env,
    },
    directory,
  )
  const lines: string[] = []
  const secrets = [...secretsOf(env ?? {}), testPassword]
  const log = openLog('debug', { write: (line) => void lines.push(line) })
  if (!folder && config.database.kind === 'sqlite') await createEmptyDatabase(config.database.file)
  const services = await createServices(config, log, {
    ...(env?.['ENGINES_FILE'] === undefined && { engine: createInstantEngine() }),
    passwordHashing: rememberedHashing,
    // Tests would mostly wait for it.
    concealedMs: 0,
    ...overrides,
  })
  await services.generations.start()
  services.workers.mails?.start(queueCheckMs)
  services.workers.webhooks?.start(env?.[webhookVariable] === undefined ? undefined : queueCheckMs)
  services.workers.pushes?.start(env?.[webhookVariable] === undefined ? undefined : queueCheckMs)
  const client = {
    directory: path.join(directory, 'client'),
    filesOf: () => ({ scripts: ['/assets/main.js'], styles: [] }),
    fontsOf: () => ['/assets/font.woff2'],
    serviceWorker: { source: '/* the service worker */', files: [] },
  }
  await mkdir(path.join(client.directory, 'assets'), { recursive: true })
  await writeFile(path.join(client.directory, 'assets/main.js'), 'export {}')
  const connections = new Connections(connectionLimits(config), log)
  const listening = await listen(createApp(services, client), [config.host], config.port, connections)
  const url = `http://127.0.0.1:${listening.port}`

  const request = (pathname: string, init?: RequestInit) =>
    fetch(url + pathname, { redirect: 'manual', ...init })

  /** Returns headers that authenticate a request and pass the CSRF check. */
  function headersOf(credential: Credential): Record<string, string> {
    if (!credential) return {}
    return 'cookie' in credential
      ? { cookie: credential.cookie, origin: url }
      : { authorization: `Bearer ${credential.bearer}` }
  }

  const typedClient = (headers: Record<string, string> = {}) => createTestClient(url, () => headers)

  /** Posts to an account route from a new IP address. */
  function postAccount(pathname: string, body: unknown, headers: Record<string, string> = {}) {
    const common = { origin: url, 'x-forwarded-for': freshAddress() }
    return postJson(`/api/auth${pathname}`, body, undefined, { ...common, ...headers })
  }

  /** Signs up a new user. */
  async function signUp(name = 'Asha Rao'): Promise<TestUser> {
    const email = `user-${freshAddress()}@example.org`
    const response = await postAccount('/sign-up/email', { name, email, password: testPassword })
    if (!response.ok) throw new Error(`Sign-up failed: ${response.status} ${await response.text()}`)
    const { user } = (await response.json()) as { user: { id: string } }
    secrets.push(cookieOf(response))
    return userOf({ client: typedClient, headersOf }, user.id, cookieOf(response))
  }

  /** Posts JSON; a string is sent unchanged. */
  function postJson(
    pathname: string,
    body: unknown,
    credential?: Credential,
    headers: Record<string, string> = {},
  ) {
    return request(pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(credential), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  async function close(): Promise<void> {
    await services.generations.stop(0)
    await listening.close(0)
    await services[Symbol.asyncDispose]()
    if (!folder) {
      await postgres?.release()
      await rm(directory, { recursive: true, force: true })
    }
    rejectSecrets(lines.join(''), secrets)
  }
  let closed: Promise<void> | undefined

  return {
    url,
    directory,
    /** Lines of the log so far. */
    lines: lines as readonly string[],
    services: services satisfies Services,
    request,
    headersOf,
    postJson,
    postAccount,
    client: typedClient,
    signUp,
    /** Stops the server without waiting for its jobs; repeated calls do nothing. */
    stop: () => (closed ??= close()),
  }
}

/** Creates a test user from a session cookie. */
export function userOf(
  { client, headersOf }: Pick<TestServer, 'client' | 'headersOf'>,
  id: string,
  cookie: string,
): TestUser {
  const trpc = client(headersOf({ cookie }))
  const generate = (prompt: string) => generateImage(trpc, prompt)
  return {
    id,
    cookie,
    trpc,
    generate,
    async share(prompt, options) {
      const { id: imageId } = await generate(prompt)
      return trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, ...options })
    },
  }
}

/** Returns the `Cookie` header that a browser would send after a response. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Starts a generation without watching it. */
export async function startUnwatched(user: TestUser, prompt: string): Promise<void> {
  await user.trpc.images.generate.mutate({ prompt })
}
