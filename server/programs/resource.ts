import { apiKeyScopes, type ApiKeyScope } from '../../shared/account.ts'

/** Paths of the MCP server, the only resource that tokens of programs are for. The second one asks for sign-in at once. */
export const mcpPaths = ['/mcp', '/mcp/account']

export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** Checks whether a resource, if one is named, is the MCP server of the site. */
export function isOwnResource(origin: string, resource: string | undefined): boolean {
  return resource === undefined || mcpPaths.some((path) => resource.replace(/\/$/, '') === origin + path)
}

/** A challenge to a program. @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1 */
export function bearerChallenge(
  origin: string | null,
  mcpPath: string,
  error?: 'invalid_token' | 'insufficient_scope',
  scopes: readonly ApiKeyScope[] = apiKeyScopes,
): string {
  const metadata = origin && `resource_metadata="${origin}${resourceMetadataPath}${mcpPath}"`
  const parameters = [error && `error="${error}"`, metadata, metadata && `scope="${scopes.join(' ')}"`]
  return `Bearer ${parameters.filter(Boolean).join(', ')}`.trim()
}
