import { z } from 'zod'
import { apiKeyScopes } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { allowProgram } from '../access/programs.ts'
import { AppError } from '../errors/app-error.ts'
import { proceduresWith, type CallContext } from '../procedures/procedures.ts'
import { clientIdMaxLength, isRedirectUriOf, unknownProgram, type ProgramServices } from './oauth-clients.ts'
import { isOwnResource } from './resource.ts'

/** Parameters of the page of consent. @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1 */
const parameters = z.object({
  client_id: z.string().max(clientIdMaxLength),
  redirect_uri: z.string().max(clientIdMaxLength),
  response_type: z.string().optional(),
  code_challenge: z.string().default(''),
  code_challenge_method: z.string().optional(),
  scope: z.string().default(apiKeyScopes.join(' ')),
  resource: z.string().optional(),
  state: z.string().optional(),
})

const request = z.object({ query: z.string().max(8_000) })
const decision = request.extend({ scopes: z.array(z.enum(apiKeyScopes)) })

const { router, signedInBy } = proceduresWith<ProgramServices>()

const bySession = signedInBy('session')

/** Programs that ask to act as the caller, by OAuth. Those that may are among the API keys. */
export const programsRouter = router({
  /**
   * Describes the program that opened the page of consent, by the query of the page. `host` is '' for one on the device of the
   * caller; `error` is an OAuth error code if the request is not valid.
   */
  request: bySession.input(request).query(async ({ ctx, input }) => {
    return (await readRequest(ctx, input.query)).program
  }),

  /** Allows the program what the caller chose; nothing rejects it. Returns the address that leads back to it. */
  decide: bySession.input(decision).mutation(async ({ ctx, input }) => {
    const { asked, program, origin } = await readRequest(ctx, input.query)
    const scopes = program.scopes.filter((scope) => input.scopes.includes(scope))
    const url = new URL(asked.redirect_uri)
    if (program.error !== null || scopes.length === 0)
      url.searchParams.set('error', program.error ?? 'access_denied')
    else {
      const proof = [asked.client_id, asked.redirect_uri, asked.code_challenge] as const
      const owner = { ...ctx.viewer, sessionId: ctx.sessionId }
      const code = await allowProgram(ctx.services, owner, { ...program, scopes, proof })
      url.searchParams.set('code', code)
    }
    if (asked.state !== undefined) url.searchParams.set('state', asked.state)
    url.searchParams.set('iss', origin)
    return { url: url.href }
  }),
})

/** Reads the query of the page. @throws AppError `not_found` for a program or an address that users must not be sent to */
async function readRequest(
  ctx: Pick<CallContext<ProgramServices>, 'services' | 'trustedOrigin'> & { readonly viewer: Viewer },
  query: string,
) {
  const origin = ctx.trustedOrigin()
  if (origin === null) throw new AppError('not_found')
  const received = new URLSearchParams(query)
  const { data: asked } = parameters.safeParse(Object.fromEntries(received))
  // None may be repeated.
  if (!asked || new Set(received.keys()).size < received.size) return unknownProgram()
  const client = await ctx.services.oauthClients.find(asked.client_id, ctx.viewer.id)
  if (!isRedirectUriOf(client, asked.redirect_uri)) return unknownProgram()
  const { protocol, host } = new URL(asked.redirect_uri)
  const scopes = apiKeyScopes.filter((scope) => asked.scope.split(' ').includes(scope))
  const errors = {
    unsupported_response_type: asked.response_type !== 'code',
    invalid_request: asked.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(asked.code_challenge),
    invalid_target: !isOwnResource(origin, asked.resource),
    invalid_scope: scopes.length === 0,
  }
  const [error = null] = Object.entries(errors).flatMap(([code, applies]) => (applies ? [code] : []))
  const program = { name: client.client_name, host: protocol === 'https:' ? host : '', scopes, error }
  return { asked, origin, program }
}
