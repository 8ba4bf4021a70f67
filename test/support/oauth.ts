import { createHash, randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { ApiKeyScope } from '../../shared/account.ts'
import { startLoopbackServer } from './loopback-server.ts'
import type { TestServer, TestUser } from './test-server.ts'

/** Address on which a program waits for the user, without the port that it chooses. */
export const loopback = 'http://127.0.0.1/callback'

/** Serves the metadata document of a program at the address that is its id. */
export async function publishProgram(
  more: object = {},
  send?: { status?: number; headers?: object; before?: () => Promise<unknown> },
) {
  const program = await startLoopbackServer(async (_, response) => {
    await send?.before?.()
    response.writeHead(send?.status ?? 200, { 'content-type': 'application/json', ...send?.headers })
    response.end(
      JSON.stringify({ client_id: clientId, client_name: 'Claude', redirect_uris: [loopback], ...more }),
    )
  })
  onTestFinished(program.stop)
  const clientId = `${program.origin}/program.json`
  return clientId
}

/** A request of a program to a user, with parameters replaced; undefined leaves one out. */
export function authorization(server: Pick<TestServer, 'url'>, clientId: string) {
  const verifier = randomBytes(32).toString('base64url')
  const usual = {
    client_id: clientId,
    redirect_uri: 'http://127.0.0.1:1234/callback',
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${server.url}/mcp`,
    state: 'a state',
  }
  const queryOf = (changes: Readonly<Record<string, string | undefined>> = {}) =>
    new URLSearchParams(
      Object.entries({ ...usual, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ).toString()
  return { queryOf, verifier, usual }
}

/** Sends a form. */
export function sendForm({ url }: Pick<TestServer, 'url'>, path: string, fields: Record<string, string>) {
  return fetch(url + path, { method: 'POST', body: new URLSearchParams(fields) })
}

/** A program that a user has allowed, with the fields of the exchange of its code. */
export async function allow(
  server: TestServer,
  user: TestUser,
  { scopes = ['read', 'generate', 'share'] as ApiKeyScope[], changes = {} } = {},
) {
  const clientId = await publishProgram()
  const { queryOf, verifier, usual } = authorization(server, clientId)
  const { url } = await user.trpc.account.programs.decide.mutate({ query: queryOf(changes), scopes })
  const back = new URL(url)
  return {
    clientId,
    back,
    exchange: {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: usual.redirect_uri,
      client_id: clientId,
      code_verifier: verifier,
      resource: usual.resource,
    },
  }
}

/** Answer of the token endpoint. */
export interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

/** A program with its tokens. */
export async function connectProgram(server: TestServer, user: TestUser, scopes?: ApiKeyScope[]) {
  const allowed = await allow(server, user, scopes && { scopes })
  const answer = await sendForm(server, '/oauth/token', allowed.exchange)
  const tokens = (await answer.json()) as TokenAnswer
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: allowed.clientId,
  }
  return { ...allowed, tokens, refresh }
}
