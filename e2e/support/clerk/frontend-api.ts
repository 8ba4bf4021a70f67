import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Accounts, ClerkClient, ClerkSession } from './accounts.ts'
import { clientDocument, sessionDocument, signInDocument, signUpDocument, userDocument } from './documents.ts'
import type { MintToken } from './documents.ts'
import { environmentDocument } from './environment.ts'

/** Dependencies of the Frontend API. */
export interface Instance {
  readonly kind: 'production' | 'development'
  readonly accounts: Accounts
  /** Identifies the browser of a request. */
  clientOf(request: Request): ClerkClient
  mint(session: ClerkSession, origin: string): string
  /** Called for unsupported requests. */
  unknown(request: Request): void
}

/** The part of Clerk's Frontend API that its dialogs need. @see https://clerk.com/docs/reference/frontend-api */
export function frontendApi(instance: Instance) {
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
    .get('/environment', (c) => c.json(environmentDocument(instance.kind, origin(c))))
    .patch('/environment', (c) => c.json(environmentDocument(instance.kind, origin(c))))
    .post('/dev_browser', (c) => c.json({ object: 'dev_browser', id: clientOf(c).id, token: clientOf(c).id }))
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
