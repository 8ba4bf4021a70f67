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

/** Says to the double which browser a request comes from; with the real Clerk cookies do that. */
const browserHeader = 'x-browser'

/** A Clerk instance on loopback: its real scripts, over a frontend API of our own. */
export interface ClerkDouble {
  /** What a server needs to have its users sign in here. */
  readonly env: Record<string, string>
  /** Where browsers find it. */
  readonly origins: readonly string[]
  readonly accounts: ReturnType<typeof makeAccounts>
  /** How the scripts are served, and how the rest is. */
  readonly scripts: Gate
  readonly api: Gate
  /** How session tokens are given. */
  readonly tokens: Gate
  /** How long session tokens live from now on; a minute otherwise. */
  letTokensLive(seconds: number): void
  /** Paths of the requests for tokens so far, with their queries. */
  readonly tokenRequests: readonly string[]
  /** Requests that it could not answer. */
  readonly unknown: readonly string[]
  /** Has a browser find its Clerk here. */
  attach(context: BrowserContext): Promise<void>
  /** Signs somebody in, in a browser that found it. */
  signIn(context: BrowserContext, account: Account): void
  /** A token for calls without a browser, from a site's own address. */
  mintFor(account: Account, site: string): string
  start(): Promise<void>
  stop(): Promise<void>
}

/** Makes an instance; whoever starts it stops it. */
export function makeClerk(kind: 'production' | 'development'): ClerkDouble {
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

/** Whoever closed the browser meanwhile does not wait for an answer. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('has been closed'))) throw error
}

/** Clerk's scripts send everything but reading as POST, to need no preflight, and say what they mean in the query. */
function withItsMethod(request: Request): Request {
  const method = new URL(request.url).searchParams.get('_method')
  return method && request.method === 'POST' ? new Request(request, { method }) : request
}
