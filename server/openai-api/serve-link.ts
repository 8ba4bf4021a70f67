import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { originalFile } from '../../shared/image-files.ts'
import { findLinkedImage } from '../images/image-access.ts'
import { noSuchImage, fileXmp } from '../images/images.ts'
import { encodeOriginal, type Encoding } from '../images/processing.ts'
import { costs } from '../rate-limits/work-in-progress.ts'
import type { RequestContext } from '../trpc/context.ts'

/**
 * Serves the image of a link.
 *
 * @throws AppError `not_found` for a link that is not valid any more, or never was; `forbidden` for one that has expired;
 *   `rate_limited`
 */
export function serveLink(contextOf: (c: Context) => RequestContext) {
  return async (c: Context<object, '/images/:file'>): Promise<Response> => {
    const { services, work, clientNetwork } = contextOf(c)
    work.add(costs.call)
    const target = services.imageLinks.verify(c.req.param('file'), c.req.query())
    const image = await findLinkedImage(services.db, target.imageId)
    if (!image) throw noSuchImage()
    const { folder } = image

    const headers = {
      'Content-Type': `image/${target.format}`,
      // A shared cache would keep it after it was hidden or deleted.
      'Cache-Control': 'private, no-store',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    }
    if (c.req.method === 'HEAD') {
      const size = await services.blobs.size(folder, originalFile)
      if (size === null) throw noSuchImage()
      return c.body(null, 200, isStored(target) ? { ...headers, 'Content-Length': String(size) } : headers)
    }
    if (isStored(target)) {
      const file = await services.blobs.open(folder, originalFile)
      if (!file) throw noSuchImage()
      const body = Readable.toWeb(file.stream()) as ReadableStream
      return c.body(body, 200, { ...headers, 'Content-Length': String(file.size) })
    }
    await services.writeLimits.encodings.consume(clientNetwork())
    const bytes = await encodeOriginal(
      () => services.blobs.read(folder, originalFile),
      target,
      fileXmp(image),
    )
    if (!bytes) throw noSuchImage()
    return c.body(new Uint8Array(bytes), 200, headers)
  }
}

/** Checks whether an encoding is that of the stored original, which is sent byte for byte, with its content credentials. */
export function isStored({ format, quality }: Encoding): boolean {
  return format === 'jpeg' && quality === undefined
}
