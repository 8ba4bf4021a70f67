import { createHmac, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { originalFile } from '../../shared/image-files.ts'
import { AppError } from '../errors/app-error.ts'
import { noSuchImage, photoPath, producerOf } from '../images/images.ts'
import { encodeOriginal, type Encoding } from '../images/processing.ts'
import { costs } from '../rate-limits/work-in-progress.ts'
import type { RequestContext } from '../trpc/init.ts'
import { idPattern } from '../trpc/inputs.ts'
import { outputFormats } from './parameters.ts'

/** Time for which a link opens, in seconds. */
const lifetimeSeconds = 60 * 60

interface LinkTarget extends Encoding {
  readonly imageId: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/**
 * Creates the path of an image that opens without credentials for an hour. It is signed with the path of the original, which
 * is random, secret until the image is shared, and another one once it becomes private.
 *
 * @see docs/decisions/0096-openai-images-api.md
 */
export function linkPath(
  photo: string,
  { imageId, ...encoding }: { readonly imageId: string } & Encoding,
  now: number,
): string {
  const target = { ...encoding, imageId, expiresAt: Math.floor(now / 1_000) + lifetimeSeconds }
  const unsigned = unsignedPath(target)
  return `${unsigned}&signature=${sign(photo, unsigned)}`
}

function unsignedPath({ imageId, format, quality, expiresAt }: LinkTarget): string {
  const compression = quality === undefined ? '' : `compression=${quality}&`
  return `/v1/images/${imageId}.${format}?${compression}expires=${expiresAt}`
}

function sign(photo: string, unsigned: string): string {
  return createHmac('sha256', photo).update(unsigned).digest('base64url')
}

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
    const target = parseLink(c.req.param('file'), c.req.query())
    if (!target) throw noSuchImage()
    const image = await services.db
      .selectFrom('images')
      .select(['folder', 'engine', 'engine_kind', 'model'])
      .where('id', '=', target.imageId)
      .where('hidden_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .where('trashed_at', 'is', null)
      .executeTakeFirst()
    if (!image?.folder) throw noSuchImage()
    const { folder } = image
    if (!isSigned(photoPath(folder), target, c.req.query('signature') ?? '')) throw noSuchImage()
    if (target.expiresAt * 1_000 <= services.now()) throw new AppError('forbidden', 'This link has expired.')

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
    // Everyone who sees a public image knows the key of its links.
    await services.writeLimits.encodings.consume(clientNetwork())
    const bytes = await encodeOriginal(
      () => services.blobs.read(folder, originalFile),
      target,
      producerOf(image),
    )
    if (!bytes) throw noSuchImage()
    return c.body(new Uint8Array(bytes), 200, headers)
  }
}

/** Checks whether an encoding is that of the stored original, which is sent byte for byte, with its content credentials. */
export function isStored({ format, quality }: Encoding): boolean {
  return format === 'jpeg' && quality === undefined
}

function parseLink(file: string, query: Readonly<Record<string, string>>): LinkTarget | null {
  const [imageId = '', extension] = file.split('.')
  const format = outputFormats.find((one) => one === extension)
  const { expires = '', compression } = query
  const isNumber = (text: string) => /^\d{1,12}$/.test(text)
  if (!format || !idPattern.test(imageId) || !isNumber(expires)) return null
  if (compression !== undefined && !isNumber(compression)) return null
  const quality = compression === undefined ? undefined : Number(compression)
  if (quality !== undefined && quality > 100) return null
  return { imageId, format, quality, expiresAt: Number(expires) }
}

function isSigned(photo: string, target: LinkTarget, signature: string): boolean {
  const expected = Buffer.from(sign(photo, unsignedPath(target)))
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
