import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { cors } from 'hono/cors'
import type { BrowserContext, Route } from 'playwright-core'
import documents from './documents.json' with { type: 'json' }

/** A user with a Clerk account. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly imageUrl: string
}

/** A session of an account in a browser. */
interface ClerkSession {
  readonly id: string
  readonly account: Account
  isRevoked: boolean
}

/** Clerk's state of a browser. */
interface ClerkClient {
  readonly id: string
  session: ClerkSession | null
  /** Email of the sign-in in progress. */
  identifier: string | null
  signInId: string
}

interface Accounts {
  add(account: Omit<Account, 'id' | 'imageUrl'>): Account
  find(email: string | undefined): Account | undefined
  beginSession(client: ClerkClient, account: Account): ClerkSession
  /** Ends every session of an account, as if done elsewhere. */
  revokeSessions(account: Account): void
}

/** Users and sessions of a Clerk instance. */
function makeAccounts(): Accounts {
  const accounts: Account[] = []
  const sessions: ClerkSession[] = []
  return {
    add(facts) {
      const id = `user_${accounts.length + 1}`
      const account = { ...facts, id, imageUrl: `https://img.clerk.com/${id}` }
      accounts.push(account)
      return account
    },
    find: (email) => accounts.find((account) => account.email === email),
    beginSession(client, account) {
      const session = { id: `sess_${sessions.length + 1}`, account, isRevoked: false }
      sessions.push(session)
      client.session = session
      client.identifier = null
      return session
    },
    revokeSessions(account) {
      for (const session of sessions) if (session.account === account) session.isRevoked = true
    },
  }
}

/** Treatment of requests: answered, refused connection, or no response. */
export type Manner = 'answers' | 'refuses' | 'is silent'

/** Lets requests pass, fail or wait. */
export interface Gate {
  /** Changes the treatment of requests, including waiting ones. */
  become(manner: Manner): void
  /** Resolves to the treatment once it is not silence. */
  pass(): Promise<Exclude<Manner, 'is silent'>>
  /** Number of waiting requests. */
  readonly waiting: number
}

function makeGate(): Gate {
  let manner: Manner = 'answers'
  const waiting: (() => void)[] = []
  return {
    become(next) {
      manner = next
      for (const go of waiting.splice(0)) go()
    },
    async pass() {
      for (;;) {
        if (manner !== 'is silent') return manner
        await new Promise<void>((go) => waiting.push(go))
      }
    },
    get waiting() {
      return waiting.length
    },
  }
}

/** The key that signs an instance's session tokens. */
interface SigningKey {
  /** Public key, the value of CLERK_JWT_KEY. */
  readonly pem: string
  sign(claims: object): string
}

function makeSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign(claims) {
      const signed = `${encode({ alg: 'RS256', kid: 'ins_fake', typ: 'JWT' })}.${encode(claims)}`
      return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}

/** Creates the token of a session. */
type MintToken = (session: ClerkSession) => string

const day = 86_400_000
const times = () => ({ created_at: Date.now(), updated_at: Date.now() })

/** Settings of the instance for a site, which a user returns to after signing in. */
function environmentDocument(origin: string) {
  const { environment } = documents
  const urls = { home_url: origin, after_sign_in_url: origin, after_sign_up_url: origin }
  return { ...environment, display_config: { ...environment.display_config, ...urls } }
}

/** A client in the format of the Frontend API, with its session if any. */
function clientDocument(client: ClerkClient, mint: MintToken) {
  const session = client.session?.isRevoked ? null : client.session
  return {
    ...documents.client,
    id: client.id,
    sessions: session ? [sessionDocument(session, mint)] : [],
    sign_in: client.identifier === null ? null : signInDocument(client),
    last_active_session_id: session?.id ?? null,
    ...times(),
  }
}

const namesOf = ({ firstName, lastName }: Account) => ({ first_name: firstName, last_name: lastName })

function sessionDocument(session: ClerkSession, mint: MintToken) {
  const { account, id } = session
  const { email: identifier, imageUrl: image_url, id: user_id } = account
  return {
    ...documents.session,
    id,
    expire_at: Date.now() + 7 * day,
    abandon_at: Date.now() + 30 * day,
    last_active_at: Date.now(),
    last_active_token: { object: 'token', jwt: mint(session) },
    user: userDocument(account),
    public_user_data: {
      ...namesOf(account),
      image_url,
      has_image: true,
      identifier,
      profile_image_id: null,
      user_id,
    },
    ...times(),
  }
}

function userDocument(account: Account) {
  return {
    ...documents.user,
    id: account.id,
    ...namesOf(account),
    image_url: account.imageUrl,
    email_addresses: [{ ...documents.email, email_address: account.email }],
    last_sign_in_at: Date.now(),
    ...times(),
  }
}

/** A sign-in that requires the password, or has succeeded. */
function signInDocument({ signInId: id, identifier }: ClerkClient, session: ClerkSession | null = null) {
  const status = session ? 'complete' : identifier === null ? 'needs_identifier' : 'needs_first_factor'
  return { ...documents.signIn, id, status, identifier, created_session_id: session?.id ?? null }
}

/** A successful sign-up, without email verification. */
function signUpDocument({ id, account }: ClerkSession) {
  return {
    ...documents.signUp,
    email_address: account.email,
    ...namesOf(account),
    created_session_id: id,
    created_user_id: account.id,
    abandon_at: Date.now() + day,
  }
}

/** Dependencies of the Frontend API. */
interface Instance {
  readonly accounts: Accounts
  /** Identifies the browser of a request. */
  clientOf(request: Request): ClerkClient
  mint(session: ClerkSession, origin: string): string
  /** Called for unsupported requests. */
  unknown(request: Request): void
}

/** The part of Clerk's Frontend API that its dialogs need. @see https://clerk.com/docs/reference/frontend-api */
function frontendApi(instance: Instance) {
  const { accounts } = instance
  const origin = (c: Context) => c.req.header('origin') ?? ''
  const clientOf = (c: Context) => instance.clientOf(c.req.raw)
  const mintFor =
    (c: Context): MintToken =>
    (session) =>
      instance.mint(session, origin(c))
  const answer = (c: Context, response: unknown) =>
    c.json({ response, client: clientDocument(clientOf(c), mintFor(c)) })

  /** The client's session, if it matches the path and has not ended. */
  const sessionOf = (c: Context) => {
    const { session } = clientOf(c)
    return session && !session.isRevoked && session.id === c.req.param('session') ? session : null
  }
  const ended = (c: Context) =>
    refuse(c, 401, 'authentication_invalid', 'Unable to authenticate this browser for your account.')

  /** Completes a sign-in with a password. */
  async function tryPassword(c: Context, client: ClerkClient, password: string | undefined) {
    const account = accounts.find(client.identifier ?? undefined)
    if (!account) {
      client.identifier = null
      return refuse(c, 422, 'form_identifier_not_found', "Couldn't find your account.", 'identifier')
    }
    if (password === undefined) return answer(c, signInDocument(client))
    if (password !== account.password) {
      const sentence = 'Password is incorrect. Try again, or use another method.'
      return refuse(c, 422, 'form_password_incorrect', sentence, 'password')
    }
    const { identifier } = client
    const session = accounts.beginSession(client, account)
    return answer(c, signInDocument({ ...client, identifier }, session))
  }

  return new Hono()
    .on(['GET', 'PATCH'], '/environment', (c) => c.json(environmentDocument(origin(c))))
    .on(['GET', 'PUT', 'POST'], '/client', (c) =>
      c.json({ response: clientDocument(clientOf(c), mintFor(c)), client: null }),
    )
    .delete('/client/sessions', (c) => {
      const client = clientOf(c)
      client.session = null
      return answer(c, clientDocument(client, mintFor(c)))
    })
    .post('/client/sign_ins', async (c) => {
      const client = clientOf(c)
      const { identifier, password } = await fieldsOf(c)
      client.identifier = identifier ?? null
      client.signInId = `sia_${client.id}`
      if (identifier === undefined) return answer(c, signInDocument(client))
      return tryPassword(c, client, password)
    })
    .get('/client/sign_ins/:id', (c) => answer(c, signInDocument(clientOf(c))))
    .post('/client/sign_ins/:id/attempt_first_factor', async (c) =>
      tryPassword(c, clientOf(c), (await fieldsOf(c))['password']),
    )
    .post('/client/sign_ups', async (c) => {
      const fields = await fieldsOf(c)
      const { email_address: email = '', password = '', first_name: firstName = null } = fields
      if (accounts.find(email)) {
        const sentence = 'That email address is taken. Please try another.'
        return refuse(c, 422, 'form_identifier_exists', sentence, 'email_address')
      }
      const account = accounts.add({ email, password, firstName, lastName: fields['last_name'] ?? null })
      return answer(c, signUpDocument(accounts.beginSession(clientOf(c), account)))
    })
    .post('/client/sessions/:session/tokens', (c) => {
      const session = sessionOf(c)
      return session ? c.json({ object: 'token', jwt: mintFor(c)(session) }) : ended(c)
    })
    .post('/client/sessions/:session/touch', (c) => {
      const session = sessionOf(c)
      return session ? answer(c, sessionDocument(session, mintFor(c))) : ended(c)
    })
    .post('/client/sessions/:session/:end{end|remove}', (c) => {
      const session = sessionOf(c)
      if (!session) return ended(c)
      const document = { ...sessionDocument(session, mintFor(c)), status: 'ended' }
      clientOf(c).session = null
      return answer(c, document)
    })
    .get('/me', (c) => {
      const { session } = clientOf(c)
      return session && !session.isRevoked ? answer(c, userDocument(session.account)) : ended(c)
    })
    .get('/me/sessions/active', (c) => c.json([]))
    .notFound((c) => {
      instance.unknown(c.req.raw)
      return refuse(c, 404, 'resource_not_found', 'There is nothing here.')
    })
}

async function fieldsOf(c: Context): Promise<Partial<Record<string, string>>> {
  return Object.fromEntries(new URLSearchParams(await c.req.text()))
}

function refuse(c: Context, status: 401 | 404 | 422, code: string, message: string, field?: string) {
  const meta = field ? { param_name: field } : {}
  return c.json({ errors: [{ code, message, long_message: message, meta }], clerk_trace_id: 'trace' }, status)
}

const fetchPackages = path.join(import.meta.dirname, 'fetch-packages.mjs')
const packages = path.resolve(import.meta.dirname, '../../../node_modules/@clerk')

/** Avatar of every user: a circle on a square. */
const avatar =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#c2410c" d="M0 0h8v8H0z"/><circle cx="4" cy="4" r="2" fill="#fff"/></svg>'

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
export function makeClerk(): FakeClerk {
  const host = 'clerk.rangoli.example'
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
    .get('/npm/@clerk/:package{(clerk-js|ui)@.+}/dist/:file', async (c) => {
      const [name = ''] = c.req.param('package').split('@')
      const file = path.join(packages, name, 'dist', path.basename(c.req.param('file')))
      return c.body(await readFile(file, 'utf8'), 200, { 'content-type': 'text/javascript' })
    })
    .get('/:id{user_.+}', (c) => c.body(avatar, 200, { 'content-type': 'image/svg+xml' }))
    .route(
      '/v1',
      frontendApi({
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
    switch (await gate.pass()) {
      case 'refuses':
        return route.abort()
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
      CLERK_PUBLISHABLE_KEY: `pk_live_${btoa(`${host}$`)}`,
      CLERK_SECRET_KEY: `sk_live_${'0'.repeat(40)}`,
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
