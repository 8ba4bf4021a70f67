import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
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
}

/** A session of an account in a browser. */
interface ClerkSession {
  readonly id: string
  readonly account: Account
}

/** Clerk's state of a browser. */
interface ClerkClient {
  readonly id: string
  session: ClerkSession | null
  /** Email of the sign-in in progress. */
  identifier: string | null
}

/** Treatment of requests: answered, refused connection, or no response. */
type Manner = 'answers' | 'refuses' | 'is silent'

/** Lets requests pass, fail or wait. */
function makeGate() {
  let manner: Manner = 'answers'
  const waiting: (() => void)[] = []
  return {
    /** Changes the treatment of requests, including waiting ones. */
    become(next: Manner) {
      manner = next
      for (const go of waiting.splice(0)) go()
    },
    /** Resolves to the treatment once it is not silence. */
    async pass() {
      for (;;) {
        if (manner !== 'is silent') return manner
        await new Promise<void>((go) => waiting.push(go))
      }
    },
    /** Number of waiting requests. */
    get waiting() {
      return waiting.length
    },
  }
}

const host = 'clerk.rangoli.example'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
let minted = 0

/** Creates a token of a session for a site. */
function mint({ id, account }: ClerkSession, azp: string): string {
  const now = Math.floor(Date.now() / 1000)
  minted += 1
  const claims = {
    azp,
    exp: now + 60,
    fva: [0, -1],
    iat: now,
    iss: `https://${host}`,
    jti: `token_${minted}`,
  }
  const signed = [
    { alg: 'RS256', kid: 'ins_fake', typ: 'JWT' },
    { ...claims, nbf: now - 10, sid: id, sts: 'active', sub: account.id, v: 2 },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const text = signed.join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`
}

const day = 86_400_000
const times = () => ({ created_at: Date.now(), updated_at: Date.now() })

/** Settings of the instance for a site, which a user returns to after signing in. */
function environmentDocument(origin: string) {
  const { environment } = documents
  const urls = { home_url: origin, after_sign_in_url: origin, after_sign_up_url: origin }
  return { ...environment, display_config: { ...environment.display_config, ...urls } }
}

/** A client in the format of the Frontend API, with its session if any. */
function clientDocument(client: ClerkClient, origin: string) {
  const { id, session, identifier } = client
  return {
    ...documents.client,
    id,
    sessions: session ? [sessionDocument(session, origin)] : [],
    sign_in: identifier === null ? null : signInDocument(client),
    last_active_session_id: session?.id ?? null,
    ...times(),
  }
}

const namesOf = ({ firstName, lastName }: Account) => ({ first_name: firstName, last_name: lastName })
const imageOf = ({ id }: Account) => ({ image_url: `https://img.clerk.com/${id}` })

function sessionDocument(session: ClerkSession, origin: string) {
  const { account, id } = session
  const person = { ...namesOf(account), ...imageOf(account) }
  return {
    ...documents.session,
    id,
    expire_at: Date.now() + 7 * day,
    abandon_at: Date.now() + 30 * day,
    last_active_at: Date.now(),
    last_active_token: { object: 'token', jwt: mint(session, origin) },
    user: userDocument(account),
    public_user_data: {
      ...person,
      has_image: true,
      identifier: account.email,
      profile_image_id: null,
      user_id: account.id,
    },
    ...times(),
  }
}

function userDocument(account: Account) {
  return {
    ...documents.user,
    id: account.id,
    ...namesOf(account),
    ...imageOf(account),
    email_addresses: [{ ...documents.email, email_address: account.email }],
    last_sign_in_at: Date.now(),
    ...times(),
  }
}

/** A sign-in that requires the password, or has succeeded. */
function signInDocument({ id, identifier }: ClerkClient, session: ClerkSession | null = null) {
  const status = session ? 'complete' : identifier === null ? 'needs_identifier' : 'needs_first_factor'
  return { ...documents.signIn, id: `sia_${id}`, status, identifier, created_session_id: session?.id ?? null }
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

async function fieldsOf(c: Context): Promise<Partial<Record<string, string>>> {
  return Object.fromEntries(new URLSearchParams(await c.req.text()))
}

function reject(c: Context, status: 401 | 404 | 422, code: string, message: string, field?: string) {
  const meta = field ? { param_name: field } : {}
  return c.json({ errors: [{ code, message, long_message: message, meta }], clerk_trace_id: 'trace' }, status)
}

const fetchPackages = path.join(import.meta.dirname, 'fetch-packages.mjs')
const packages = path.resolve(import.meta.dirname, '../../../node_modules/@clerk')

/** Avatar of every user: a circle on a square. */
const avatar =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#c2410c" d="M0 0h8v8H0z"/><circle cx="4" cy="4" r="2" fill="#fff"/></svg>'

/** Creates a fake Clerk instance: Clerk's scripts, with a fake Frontend API. Requests of browsers are routed to it. */
export function makeClerk() {
  const origins = [`https://${host}`, 'https://img.clerk.com']
  const accounts: Account[] = []
  const gates = { scripts: makeGate(), api: makeGate() }
  const clients = new WeakMap<BrowserContext, ClerkClient>()
  const unknown: string[] = []
  let browsers = 0
  let sessions = 0

  function add(facts: Omit<Account, 'id'>): Account {
    const account = { ...facts, id: `user_${accounts.length + 1}` }
    accounts.push(account)
    return account
  }

  function beginSession(client: ClerkClient, account: Account): ClerkSession {
    client.identifier = null
    return (client.session = { id: `sess_${(sessions += 1)}`, account })
  }

  type Call = Context<{ Bindings: { readonly client: ClerkClient } }>
  const origin = (c: Context) => c.req.header('origin') ?? ''
  const answer = (c: Call, response: unknown) =>
    c.json({ response, client: clientDocument(c.env.client, origin(c)) })

  const ended = (c: Call) =>
    reject(c, 401, 'authentication_invalid', 'Unable to authenticate this browser for your account.')

  /** Completes a sign-in with a password. */
  function tryPassword(c: Call, password: string | undefined) {
    const { client } = c.env
    const account = accounts.find(({ email }) => email === client.identifier)
    if (!account) {
      client.identifier = null
      return reject(c, 422, 'form_identifier_not_found', "Couldn't find your account.", 'identifier')
    }
    if (password === undefined) return answer(c, signInDocument(client))
    if (password !== account.password) {
      const sentence = 'Password is incorrect. Try again, or use another method.'
      return reject(c, 422, 'form_password_incorrect', sentence, 'password')
    }
    const before = { ...client }
    return answer(c, signInDocument(before, beginSession(client, account)))
  }

  /** The part of Clerk's Frontend API that its dialogs need. @see https://clerk.com/docs/reference/frontend-api */
  const frontendApi = new Hono<{ Bindings: { readonly client: ClerkClient } }>()
    .on(['GET', 'PATCH'], '/environment', (c) => c.json(environmentDocument(origin(c))))
    .on(['GET', 'PUT', 'POST'], '/client', (c) =>
      c.json({ response: clientDocument(c.env.client, origin(c)), client: null }),
    )
    .delete('/client/sessions', (c) => {
      c.env.client.session = null
      return answer(c, clientDocument(c.env.client, origin(c)))
    })
    .post('/client/sign_ins', async (c) => {
      const { identifier, password } = await fieldsOf(c)
      c.env.client.identifier = identifier ?? null
      return identifier === undefined ? answer(c, signInDocument(c.env.client)) : tryPassword(c, password)
    })
    .post('/client/sign_ins/:id/attempt_first_factor', async (c) =>
      tryPassword(c, (await fieldsOf(c))['password']),
    )
    .post('/client/sign_ups', async (c) => {
      const { email_address: email = '', password = '', ...names } = await fieldsOf(c)
      const firstName = names['first_name'] ?? null
      const account = add({ email, password, firstName, lastName: names['last_name'] ?? null })
      return answer(c, signUpDocument(beginSession(c.env.client, account)))
    })
    .post('/client/sessions/:session/tokens', (c) => {
      const { session } = c.env.client
      return session ? c.json({ object: 'token', jwt: mint(session, origin(c)) }) : ended(c)
    })
    .post('/client/sessions/:session/touch', (c) => {
      const { session } = c.env.client
      return session ? answer(c, sessionDocument(session, origin(c))) : ended(c)
    })
    .notFound((c) => {
      unknown.push(`${c.req.method} ${c.req.url}`)
      return reject(c, 404, 'resource_not_found', 'There is nothing here.')
    })
  const app = new Hono<{ Bindings: { readonly client: ClerkClient } }>()
    .use(cors({ origin: (from) => from, credentials: true, exposeHeaders: ['authorization'] }))
    .get('/npm/@clerk/:package{(clerk-js|ui)@.+}/dist/:file', async (c) => {
      const [name = ''] = c.req.param('package').split('@')
      const file = path.join(packages, name, 'dist', path.basename(c.req.param('file')))
      return c.body(await readFile(file, 'utf8'), 200, { 'content-type': 'text/javascript' })
    })
    .get('/:id{user_.+}', (c) => c.body(avatar, 200, { 'content-type': 'image/svg+xml' }))
    .route('/v1', frontendApi)

  async function respond(route: Route, client: ClerkClient): Promise<void> {
    const request = route.request()
    const url = new URL(request.url())
    const gate = url.pathname.startsWith('/npm/') ? gates.scripts : gates.api
    if ((await gate.pass()) === 'refuses') return route.abort()
    const body = request.postDataBuffer()
    // To avoid preflights, Clerk's scripts send every write as POST, with the method in the query.
    const method = (request.method() === 'POST' && url.searchParams.get('_method')) || request.method()
    const init = { method, headers: request.headers(), ...(body && { body: new Uint8Array(body) }) }
    const response = await app.fetch(new Request(url, init), { client })
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  return {
    /** Environment of a server that uses this instance. */
    env: {
      AUTH: 'clerk',
      CLERK_PUBLISHABLE_KEY: `pk_live_${btoa(`${host}$`)}`,
      CLERK_SECRET_KEY: `sk_live_${'0'.repeat(40)}`,
      CLERK_JWT_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
    origins,
    /** Adds an account. */
    add,
    /** Control over responses with scripts, and over other responses. */
    ...gates,
    /** Requests it does not support. */
    unknown,
    /** Routes Clerk's requests of a browser to this instance. */
    async attach(context: BrowserContext) {
      const client: ClerkClient = { id: `client_${(browsers += 1)}`, session: null, identifier: null }
      clients.set(context, client)
      for (const one of origins) {
        await context.route(`${one}/**`, (route) => respond(route, client).catch(unlessClosed))
      }
    },
    /** Signs in a user, in a routed browser. */
    signIn(context: BrowserContext, account: Account) {
      const client = clients.get(context)
      if (client) beginSession(client, account)
    },
    /** Creates a session token for calls without a browser. */
    mintFor: (account: Account, site: string) => mint({ id: `sess_of_${account.id}`, account }, site),
    async start() {
      execFileSync(process.execPath, [fetchPackages], { stdio: 'inherit' })
    },
    async stop() {},
  }
}

/** Ignores errors of a browser that has closed. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('has been closed'))) throw error
}
