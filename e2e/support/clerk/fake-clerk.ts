import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { BrowserContext, Route } from 'playwright-core'
import { makeAccounts } from './accounts.ts'
import type { Account, ClerkClient } from './accounts.ts'
import { avatar } from './avatar.ts'
import { frontendApi } from './frontend-api.ts'
import { makeGate } from './gate.ts'
import type { Gate } from './gate.ts'
import { scripts } from './scripts.ts'
import { makeSigningKey } from './signing-key.ts'

const fetchPackages = path.join(import.meta.dirname, 'fetch-packages.mjs')

/** Header that identifies the browser of a request, instead of Clerk's cookies. */
const browserHeader = 'x-browser'

/** A fake Clerk instance on loopback: Clerk's scripts with a fake Frontend API. */
export interface FakeClerk {
  /** Environment of a server that uses this instance. */
  readonly env: Record<string, string>
  /** Origin of the instance. */
  readonly origins: readonly string[]
  readonly accounts: ReturnType<typeof makeAccounts>
  /** Control over responses with scripts, and over other responses. */
  readonly scripts: Gate
  readonly api: Gate
  /** Control over responses with session tokens. */
  readonly tokens: Gate
  /** Sets the lifetime of new session tokens, a minute by default. */
  letTokensLive(seconds: number): void
  /** Paths and queries of the token requests so far. */
  readonly tokenRequests: readonly string[]
  /** Requests it does not support. */
  readonly unknown: readonly string[]
  /** Routes Clerk's requests of a browser to this instance. */
  attach(context: BrowserContext): Promise<void>
  /** Signs in a user, in a routed browser. */
  signIn(context: BrowserContext, account: Account): void
  /** Creates a session token for calls without a browser. */
  mintFor(account: Account, site: string): string
  start(): Promise<void>
  stop(): Promise<void>
}

/** Creates an instance. The caller starts and stops it. */
export function makeClerk(kind: 'production' | 'development'): FakeClerk {
  const host = kind === 'production' ? 'clerk.rangoli.example' : 'true-peacock-12.clerk.accounts.dev'
  const origins = [`https://${host}`, 'https://img.clerk.com']
  const key = makeSigningKey()
  const accounts = makeAccounts()
  const gates = { scripts: makeGate(), api: makeGate(), tokens: makeGate() }
  const clients = new Map<string, ClerkClient>()
  const browsers = new WeakMap<BrowserContext, string>()
  const tokenRequests: string[] = []
  const unknown: string[] = []
  let tokenLifetime = 60
  let minted = 0

  function clientOf(browser: string): ClerkClient {
    const client = clients.get(browser) ?? {
      id: `client_${browser}`,
      session: null,
      identifier: null,
      signInId: `sia_${browser}`,
    }
    clients.set(browser, client)
    return client
  }

  function mint(account: Account, sessionId: string, azp: string): string {
    const now = Math.floor(Date.now() / 1000)
    minted += 1
    return key.sign({
      azp,
      exp: now + tokenLifetime,
      fva: [0, -1],
      iat: now,
      iss: `https://${host}`,
      jti: `token_${minted}`,
      nbf: now - 10,
      sid: sessionId,
      sts: 'active',
      sub: account.id,
      v: 2,
    })
  }

  const app = new Hono()
    .use(cors({ origin: (origin) => origin, credentials: true, exposeHeaders: ['authorization'] }))
    .route('/', scripts)
    .route('/', avatar)
    .route(
      '/v1',
      frontendApi({
        kind,
        accounts,
        clientOf: (request) => clientOf(request.headers.get(browserHeader) ?? ''),
        mint: (session, origin) => mint(session.account, session.id, origin),
        unknown: (request) => unknown.push(`${request.method} ${request.url}`),
      }),
    )
  const server = createAdaptorServer({ fetch: (request) => app.fetch(withItsMethod(request)) })

  async function answer(route: Route, browser: string): Promise<void> {
    const request = route.request()
    const url = new URL(request.url())
    const isToken = url.pathname.endsWith('/tokens')
    if (isToken) tokenRequests.push(url.pathname + url.search)
    const gate = url.pathname.startsWith('/npm/') ? gates.scripts : isToken ? gates.tokens : gates.api
    const readable = {
      'access-control-allow-origin': request.headers()['origin'] ?? '*',
      'access-control-allow-credentials': 'true',
    }
    switch (await gate.pass()) {
      case 'refuses':
        return route.abort()
      case 'fails':
        return route.fulfill({ status: 500, headers: readable, body: '{}' })
      case 'throws':
        return route.fulfill({
          headers: { ...readable, 'content-type': 'text/javascript' },
          body: 'throw new Error("This script is broken")',
        })
      case 'answers':
        return pass(route, url, browser)
    }
  }

  async function pass(route: Route, url: URL, browser: string): Promise<void> {
    const request = route.request()
    const body = request.postDataBuffer()
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, {
      method: request.method(),
      headers: { ...request.headers(), [browserHeader]: browser },
      ...(body && { body: new Uint8Array(body) }),
    })
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  return {
    env: {
      AUTH: 'clerk',
      CLERK_PUBLISHABLE_KEY: `pk_${kind === 'production' ? 'live' : 'test'}_${btoa(`${host}$`)}`,
      CLERK_SECRET_KEY: `sk_${kind === 'production' ? 'live' : 'test'}_${'0'.repeat(40)}`,
      CLERK_JWT_KEY: key.pem,
    },
    origins,
    accounts,
    ...gates,
    letTokensLive(seconds) {
      tokenLifetime = seconds
    },
    tokenRequests,
    unknown,
    async attach(context) {
      const browser = `${clients.size + 1}`
      browsers.set(context, browser)
      clientOf(browser)
      for (const origin of origins) {
        await context.route(`${origin}/**`, (route) => answer(route, browser).catch(unlessClosed))
      }
    },
    signIn(context, account) {
      accounts.beginSession(clientOf(browsers.get(context) ?? ''), account)
    },
    mintFor: (account, site) => mint(account, `sess_of_${account.id}`, site),
    async start() {
      execFileSync(process.execPath, [fetchPackages], { stdio: 'inherit' })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** Ignores errors of a browser that has closed. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('has been closed'))) throw error
}

/** To avoid preflights, Clerk's scripts send every write as POST, with the method in the query. */
function withItsMethod(request: Request): Request {
  const method = new URL(request.url).searchParams.get('_method')
  return method && request.method === 'POST' ? new Request(request, { method }) : request
}
