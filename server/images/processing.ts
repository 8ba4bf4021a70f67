import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { uploadMaxPixels } from '../../shared/limits.ts'
import { originalFile, thumbnailFile, thumbnailSizes, type ThumbnailSize } from '../../shared/image-files.ts'
import { imageXmp, type ImageProducer } from '../formats/xmp.ts'
import type { ImageFiles } from '../storage/blob-store.ts'
import { hasContentCredentials, replaceMetadata, jpegScans } from '../formats/jpeg.ts'
import { sniffFormat, type ImageFormat } from '../formats/sniff-format.ts'
import { unlessTooManyWait, whenSlotIsFree } from './processing-slots.ts'

/** Maximum number of scans of a JPEG: ten times what any program writes, and seconds to decode instead of minutes. */
const scansMax = 100

/** An image ready to be stored: its files, and the columns of its row. */
export interface Image {
  readonly files: ImageFiles
  /** SHA-256 of the original's bytes, in hex. */
  readonly sha256: string
  readonly width: number
  readonly height: number
  /** ThumbHash, base64. */
  readonly placeholder: string
}

const unreadable = 'The photo could not be read as an image.'

/** The bytes are not an accepted image. The message is for users. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage'
  readonly tooLarge: boolean

  constructor(message: string, options: { cause?: unknown; tooLarge?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.tooLarge = options.tooLarge ?? false
  }
}

/**
 * Prepares an engine's image. A JPEG with content credentials is kept byte for byte, as its signature covers every byte.
 * Any other image gets our metadata instead of its own, which may contain the prompt; a JPEG is not re-encoded for this,
 * unless it has to be rotated.
 *
 * @throws UnreadableImage
 */
export async function imageFromEngine(bytes: Uint8Array, maker: ImageProducer): Promise<Image> {
  const { format, width, height, isUpright } = await inspect(bytes)
  const xmp = imageXmp(maker)
  return whenSlotIsFree(async () => {
    if (format === 'jpeg' && hasContentCredentials(bytes)) return describe({ bytes, width, height }, xmp)
    const jpeg = format === 'jpeg' && isUpright ? replaceMetadata(bytes, xmp) : null
    return describe(jpeg ? { bytes: jpeg, width, height } : await reencode(bytes, xmp), xmp)
  })
}

/**
 * Prepares an upload: re-encodes it as an upright JPEG without metadata.
 *
 * @throws UnreadableImage; AppError `busy` while many others are being prepared
 */
export async function imageFromUpload(bytes: Uint8Array): Promise<Image> {
  await inspect(bytes)
  return unlessTooManyWait(async () => describe(await reencode(bytes)))
}

/**
 * Creates the square WebP of a stored original.
 *
 * @param maker named in its metadata; null for an upload
 *
 * @throws UnreadableImage
 */
export function thumbnail(
  bytes: Uint8Array,
  size: ThumbnailSize,
  maker: ImageProducer | null,
): Promise<Uint8Array> {
  return whenSlotIsFree(() => shrink(bytes, size, maker ? imageXmp(maker) : undefined))
}

/** Reports whether a stored thumbnail has this size and can be decoded completely. */
export async function isWholeThumbnail(bytes: Uint8Array, size: ThumbnailSize): Promise<boolean> {
  try {
    const { info } = await decoding(decoder(bytes).raw().toBuffer({ resolveWithObject: true }))
    return info.width === size && info.height === size
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error
    return false
  }
}

/** SHA-256 of a file's bytes, hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

interface Original {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * Reads an image's format off its first bytes.
 *
 * @throws UnreadableImage for one that is not accepted
 */
export function requireFormat(bytes: Uint8Array): ImageFormat {
  const format = sniffFormat(bytes)
  if (!format) throw new UnreadableImage('The photo is not a JPEG, PNG or WebP image.')
  return format
}

async function inspect(bytes: Uint8Array) {
  const format = requireFormat(bytes)
  if (format === 'jpeg' && jpegScans(bytes) > scansMax) throw new UnreadableImage(unreadable)
  const metadata = await decoding(sharp(bytes, { limitInputPixels: false }).metadata())
  const { width, height } = metadata.autoOrient
  if (width * height > uploadMaxPixels) {
    throw new UnreadableImage(`The photo has more than ${uploadMaxPixels / 1_000_000} megapixels.`, {
      tooLarge: true,
    })
  }
  return { format, width, height, isUpright: (metadata.orientation ?? 1) === 1 }
}

async function reencode(bytes: Uint8Array, xmp?: string): Promise<Original> {
  const jpeg = decoder(bytes)
    .autoOrient()
    .flatten({ background: '#fff' })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
  const { data, info } = await decoding(marked(jpeg, xmp).toBuffer({ resolveWithObject: true }))
  return { bytes: data, width: info.width, height: info.height }
}

async function describe({ bytes, width, height }: Original, xmp?: string): Promise<Image> {
  const thumbnails = thumbnailSizes.map(
    async (size) => [thumbnailFile(size), await shrink(bytes, size, xmp)] as const,
  )
  const [placeholder, ...files] = await Promise.all([thumbHash(bytes), ...thumbnails])
  return {
    files: { [originalFile]: bytes, ...Object.fromEntries(files) },
    sha256: sha256(bytes),
    width,
    height,
    placeholder,
  }
}

function shrink(bytes: Uint8Array, size: ThumbnailSize, xmp?: string): Promise<Uint8Array> {
  const webp = decoder(bytes).autoOrient().resize(size, size, { fit: 'cover' }).webp({ quality: 72 })
  return decoding(marked(webp, xmp).toBuffer())
}

function marked(image: Sharp, xmp: string | undefined): Sharp {
  return xmp === undefined ? image : image.withXmp(xmp)
}

/** ThumbHash takes at most 100 pixels a side. */
async function thumbHash(bytes: Uint8Array): Promise<string> {
  const { data, info } = await decoding(
    decoder(bytes)
      .autoOrient()
      .resize(100, 100, { fit: 'inside' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

/** `failOn: 'truncated'` accepts what browsers accept, but no incomplete file. */
function decoder(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: uploadMaxPixels, failOn: 'truncated' })
}

async function decoding<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (cause) {
    throw new UnreadableImage(unreadable, { cause })
  }
}
