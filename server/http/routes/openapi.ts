import type { Context } from 'hono'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'
import { openApiDocument } from '../../rest/openapi.ts'

/** Serves the OpenAPI description of REST, with the URLs of this site. */
export function serveDescription(config: Config) {
  return (c: Context): Response =>
    c.json(openApiDocument(siteOrigin(config, c.req.raw.headers), config.siteName))
}
