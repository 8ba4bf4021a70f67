import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { AppError } from '../../errors/app-error.ts'
import type { OpenImageFile } from '../../images/image-access.ts'
import type { RequestContextOf } from '../request-context.ts'

/** Storage names are never reused. */
const publicHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
}

const privateHeaders = {
  'Cache-Control': 'private, no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * Serves stored images, with a policy under which nothing in them can run.
 *
 * @throws AppError `not_found`
 */
export function serveUploads(open: OpenImageFile, contextOf: RequestContextOf) {
  return async (c: Context<object, '/uploads/:folder/:file'>): Promise<Response> => {
    const { folder, file } = c.req.param()
    const method = c.req.method === 'HEAD' ? 'HEAD' : 'GET'
    const found = await open(folder, file, method, () => contextOf(c).viewer())
    if (!found) throw new AppError('not_found', 'Image not found.')
    const headers = {
      'Content-Type': file.endsWith('.webp') ? 'image/webp' : 'image/jpeg',
      'Content-Length': String(found.size),
      ...(found.isPublic ? publicHeaders : privateHeaders),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    }
    if (method === 'HEAD' || !found.stream) return c.body(null, 200, headers)
    return c.body(Readable.toWeb(found.stream()) as ReadableStream, 200, headers)
  }
}
