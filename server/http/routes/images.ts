import { Readable } from 'node:stream'
import type { Context } from 'hono'
import type { Database } from '../../db/open-database.ts'
import { AppError } from '../../errors/app-error.ts'
import { openDownload, type Download } from '../../images/download.ts'
import { findOwnImage, noSuchImage, recipeOf } from '../../images/images.ts'
import type { OpenImageFile } from '../../images/image-access.ts'
import { readPost } from '../../posts/post-queries.ts'
import { postNotFound } from '../../access/visible-post.ts'
import { imageType } from '../../storage/uploads-folder.ts'
import { costs } from '../../rate-limits/work-in-progress.ts'
import { idPattern } from '../../procedures/inputs.ts'
import { requireScope } from '../../procedures/procedures.ts'
import type { RequestContext } from '../../trpc/context.ts'
import { immutable, matchesEtag } from '../cache/representation.ts'
import type { RequestContextOf } from '../request-context.ts'

const publicHeaders = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
}

const privateHeaders = {
  'Cache-Control': 'private, no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Under this policy nothing in a file can run. */
const passiveHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
}

/** Serves stored images. @throws AppError `not_found` */
export function serveUploads(open: OpenImageFile, contextOf: RequestContextOf) {
  return async (c: Context<object, '/uploads/:folder/:file'>): Promise<Response> => {
    const { folder, file } = c.req.param()
    const method = c.req.method === 'HEAD' ? 'HEAD' : 'GET'
    const found = await open(folder, file, method, () => contextOf(c).viewer())
    if (!found) throw new AppError('not_found', 'Image not found.')
    // Storage names are never reused.
    const publicCaching = { 'Cache-Control': immutable, ...publicHeaders }
    const headers = {
      'Content-Type': imageType(file),
      'Content-Length': String(found.size),
      ...(found.isPublic ? publicCaching : privateHeaders),
      ...passiveHeaders,
    }
    if (method === 'HEAD' || !found.stream) return c.body(null, 200, headers)
    return c.body(Readable.toWeb(found.stream()) as ReadableStream, 200, headers)
  }
}

/** Serves an image of the user as a download with its recipe. @throws AppError `not_signed_in`, `forbidden` for an API key without the scope, `not_found` */
export function serveImageDownload(contextOf: RequestContextOf) {
  return async (c: Context<object, '/api/images/:id/download'>): Promise<Response> => {
    const { services, identity: readIdentity, work } = contextOf(c)
    const { id } = c.req.param()
    work.add(costs.call)
    const identity = await readIdentity()
    if (!identity) throw new AppError('not_signed_in')
    requireScope(identity, 'query')
    if (!idPattern.test(id)) throw noSuchImage()
    const image = await findOwnImage(services.db, identity.viewer, id)
    const download = await openDownload(services, image, recipeOf(image))
    if (!download) throw noSuchImage()
    return sendDownload(c, id, download, privateHeaders)
  }
}

/** Serves the image of a post as a download, with the recipe that the post shows to visitors. @throws AppError `not_found` */
export function servePostDownload(contextOf: RequestContextOf) {
  return async (c: Context<object, '/api/posts/:id/download'>): Promise<Response> => {
    const { services, viewer, work } = contextOf(c)
    const { id } = c.req.param()
    work.add(costs.call)
    if (!idPattern.test(id)) throw postNotFound()
    const { post, image } = await readForDownload(services.db, id, viewer)
    const download = await openDownload(services, image, post.recipe)
    if (!download) throw postNotFound()
    // As the responses of the gallery: hidden posts disappear within seconds.
    const publicCaching = { 'Cache-Control': 'public, max-age=0, s-maxage=10', ...publicHeaders }
    const headers = {
      ...(post.visibility === 'private' ? privateHeaders : publicCaching),
      ETag: download.etag,
    }
    if (!matchesEtag(c.req.header('if-none-match'), download.etag)) {
      return sendDownload(c, id, download, headers)
    }
    download.stream.destroy()
    return c.body(null, 304, headers)
  }
}

/** Reads a post as every visitor sees it, as caches share the response; a private one as its author sees it. */
async function readForDownload(db: Database, id: string, viewer: RequestContext['viewer']) {
  try {
    return await readPost(db, id, null)
  } catch (error) {
    const author = error instanceof AppError && error.code === 'not_found' ? await viewer() : null
    if (!author) throw error
    const found = await readPost(db, id, author)
    if (found.post.hidden) throw error
    return found
  }
}

function sendDownload(
  c: Context,
  id: string,
  { size, stream }: Download,
  caching: Record<string, string>,
): Response {
  const headers = {
    'Content-Type': 'image/jpeg',
    'Content-Length': String(size),
    'Content-Disposition': `attachment; filename="download-${id}.jpg"`,
    ...caching,
    ...passiveHeaders,
  }
  if (c.req.method !== 'HEAD') return c.body(Readable.toWeb(stream) as ReadableStream, 200, headers)
  stream.destroy()
  return c.body(null, 200, headers)
}
