import { hash } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { apiKeyScopes } from '../../../shared/account.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { exchangeToken, revokeToken } from '../../access/programs.ts'
import { trustedOrigin } from '../../config/site-origin.ts'
import { AppError } from '../../errors/app-error.ts'
import { isOwnResource, mcpPaths, resourceMetadataPath } from '../../programs/resource.ts'
import type { Services } from '../../trpc/context.ts'

const anyGrant = z.object({ client_id: z.string(), resource: z.string().optional() })

const exchange = z.discriminatedUnion('grant_type', [
  anyGrant.extend({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    redirect_uri: z.string(),
    code_verifier: z.string(),
  }),
  anyGrant.extend({ grant_type: z.literal('refresh_token'), refresh_token: z.string() }),
])

const grantTypes = exchange.options.map(({ shape }) => shape.grant_type.value)

/** Reads the fields of a form; none if it cannot be read. */
function readForm(c: Context): Promise<Record<string, unknown>> {
  return c.req.parseBody().catch(() => ({}))
}

/**
 * Serves what programs call of the authorization server; users allow them on the page of consent. Programs have no secrets: PKCE
 * binds codes to them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function oauthRoutes(services: Services, clientNetwork: (c: Context) => string): Hono {
  const { config, db, oauthClients, writeLimits } = services
  /** Metadata of the site at another address would lead its users there. @throws AppError `not_found` */
  const originOf = (c: Context) => {
    const origin = trustedOrigin(config, c.req.raw.headers)
    if (origin === null) throw new AppError('not_found')
    return origin
  }
  const app = new Hono()

  for (const path of ['', ...mcpPaths])
    app.get(resourceMetadataPath + path, (c) =>
      c.json({
        resource: originOf(c) + (path || '/mcp'),
        authorization_servers: [originOf(c)],
        scopes_supported: apiKeyScopes,
        bearer_methods_supported: ['header'],
      }),
    )

  app.get('/.well-known/oauth-authorization-server', (c) => {
    const issuer = originOf(c)
    return c.json({
      issuer,
      authorization_endpoint: issuer + pagePaths.consent,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      ...(config.oauthRegistration && { registration_endpoint: `${issuer}/oauth/register` }),
      scopes_supported: apiKeyScopes,
      response_types_supported: ['code'],
      grant_types_supported: grantTypes,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })

  app.post('/oauth/token', async (c) => {
    c.header('Cache-Control', 'no-store')
    const body = await readForm(c)
    const { data } = exchange.safeParse(body)
    if (!data) {
      const isKnown = [undefined, ...grantTypes].some((type) => type === body['grant_type'])
      return c.json({ error: isKnown ? 'invalid_request' : 'unsupported_grant_type' }, 400)
    }
    const { client_id, resource } = data
    if (!isOwnResource(originOf(c), resource)) return c.json({ error: 'invalid_target' }, 400)
    const [token, ...proof] =
      data.grant_type === 'refresh_token'
        ? [data.refresh_token]
        : [data.code, data.redirect_uri, hash('sha256', data.code_verifier, 'base64url')]
    const sign = (text: string) => oauthClients.sign(text)
    const tokens = await exchangeToken(services, token, [client_id, ...proof], sign)
    if (tokens) return c.json(tokens)
    // Programs register again if their registration has expired.
    const isKnown = oauthClients.mayBeKnown(client_id)
    return isKnown ? c.json({ error: 'invalid_grant' }, 400) : c.json({ error: 'invalid_client' }, 401)
  })

  app.post('/oauth/revoke', async (c) => {
    const { token } = await readForm(c)
    if (typeof token === 'string') await revokeToken(db, token)
    return c.json({})
  })

  app.post('/oauth/register', async (c) => {
    if (!config.oauthRegistration) throw new AppError('not_found')
    await writeLimits.programs.consume(clientNetwork(c))
    const client = oauthClients.register(await c.req.json().catch(() => null))
    if (!client) return c.json({ error: 'invalid_client_metadata' }, 400)
    return c.json({ ...client, token_endpoint_auth_method: 'none' }, 201)
  })
  return app
}
