import { createReadStream } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { startLoopbackServer } from '../../test/support/loopback-server.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
}

/** Serves a folder on another origin for the duration of a test, and returns the origin. */
export async function serveOtherSite(folder: string): Promise<string> {
  const { origin, stop } = await startLoopbackServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/favicon.ico') return void response.writeHead(204).end()
    const file = path.join(folder, path.normalize(pathname.replace(/\/$/, '/index.html')))
    response.setHeader('Content-Type', types[path.extname(file)] ?? 'application/octet-stream')
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  onTestFinished(stop)
  return origin
}
