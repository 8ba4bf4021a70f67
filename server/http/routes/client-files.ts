import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import type { ClientBuild } from '../ssr/client-build.ts'

/** @param options.immutable true for files with a content hash in their name */
export function serveClientFiles(
  client: ClientBuild,
  { immutable }: { immutable: boolean },
): MiddlewareHandler {
  return serveStatic({
    root: client.directory,
    // The build writes .br and .gz files beside those that they make smaller.
    precompressed: true,
    onFound: (_path, c) => {
      c.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Vary', 'Accept-Encoding')
    },
  })
}
