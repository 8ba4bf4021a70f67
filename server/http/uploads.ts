import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { AppError } from '../errors/app-error.ts'
import type { OpenPictureFile } from '../images/open-picture-file.ts'

/** Serves stored pictures. Their names never change meaning, and nothing in them may run. */
export function serveUploads(open: OpenPictureFile) {
  return async (c: Context<object, '/uploads/:folder/:file'>): Promise<Response> => {
    const { folder, file } = c.req.param()
    const found = await open(folder, file)
    if (!found) throw new AppError('not_found', 'There is no such picture.')
    const headers = {
      'Content-Type': file.endsWith('.webp') ? 'image/webp' : 'image/jpeg',
      'Content-Length': String(found.size),
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    return c.body(Readable.toWeb(found.stream()) as ReadableStream, 200, headers)
  }
}
