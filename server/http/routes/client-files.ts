import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import type { ClientBuild } from '../ssr/client-build.ts'

/** Serves the built client's files; those named after their content may be kept for ever. */
export function serveClientFiles(
  client: ClientBuild,
  { immutable }: { immutable: boolean },
): MiddlewareHandler {
  return serveStatic({
    root: client.directory,
    // Compressed when it was built, as far as that made them smaller.
    precompressed: true,
    onFound: (_path, c) => {
      c.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Vary', 'Accept-Encoding')
    },
  })
}
