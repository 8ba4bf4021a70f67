import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { uploadMaxPixels } from '../../shared/limits.ts'
import {
  credentialsFile,
  fitFile,
  fitSizes,
  originalFile,
  sizeWithin,
  thumbnailFile,
  thumbnailSizes,
  type ImageDimensions,
} from '../../shared/image-files.ts'
import { describedDetail, type DescribedDetail, AppError } from '../errors/app-error.ts'
import {
  hasContentCredentials,
  replaceMetadata,
  jpegScans,
  sniffFormat,
  withPngChunk,
  type ImageFormat,
} from '../formats/image-files.ts'
import { keptSourceType, readMarks } from '../formats/marks.ts'
import { imageXmp, markXmp, type ImageProducer } from '../formats/xmp.ts'
import type { ImageFiles } from '../storage/blob-store.ts'
import { fingerprintOf, fingerprintSide } from './fingerprint.ts'
import { Semaphore } from '../tasks/semaphore.ts'

/** Maximum number of scans of a JPEG. Ten times as many as encoders write; more would take minutes to decode. */
const scansMax = 100

/** Maximum memory of one decoder, in bytes. A photo of 40 megapixels takes 120 MB if it has to be rotated. */
const decoderMaxBytes = 192_000_000
/** Memory of a decoder above which no other one runs. */
const largeDecoderBytes = 32_000_000

/** Pixels up to which Huffman tables are optimized, which takes twelve bytes of memory per pixel and makes files 5 % smaller. */
const optimizedPixelsMax = 4_000_000

// The cache of operations keeps the pixels of decoded images.
sharp.cache(false)

/** Processed image: its files, and the columns of its row. */
export type Image = Readonly<Awaited<ReturnType<typeof describe>>>

/** WebP file that is made from an original. */
export interface Variant {
  readonly file: string
  /** Side of a square `cover`, longest side of an uncropped `inside`; pixels. */
  readonly size: number
  readonly fit: 'cover' | 'inside'
}

/** Stored with each original. */
const thumbnails = thumbnailSizes.map((size): Variant => ({ file: thumbnailFile(size), size, fit: 'cover' }))

/** Every file that an image may have in addition to its original. */
export const variants: readonly Variant[] = [
  ...thumbnails,
  ...fitSizes.map((size): Variant => ({ file: fitFile(size), size, fit: 'inside' })),
]

const unreadable = describedDetail('photo_unreadable')

/** Error for bytes that are not an accepted image. The message is for users. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage'
  readonly reason: DescribedDetail
  readonly tooLarge: boolean

  constructor(reason: DescribedDetail, options: { cause?: unknown; tooLarge?: boolean } = {}) {
    super(reason.message, { cause: options.cause })
    this.reason = reason
    this.tooLarge = options.tooLarge ?? false
  }
}

/**
 * Prepares an engine's image. Keeps a file with content credentials byte for byte, as its signature covers all bytes: a JPEG
 * as the original, another one beside it. Replaces the metadata of other images, which may contain the prompt; a JPEG is re-encoded only if it has to be rotated.
 *
 * @param sign signs the original, after which its bytes may not change
 * @throws UnreadableImage
 */
export async function imageFromEngine(
  bytes: Uint8Array,
  producer: ImageProducer,
  sign = async (jpeg: Uint8Array) => jpeg,
): Promise<Image> {
  const xmp = imageXmp(producer)
  return decodeIn(whenSlotIsFree, bytes, async ({ format, width, height, isUpright }) => {
    const isSigned = hasContentCredentials(bytes)
    if (format === 'jpeg' && isSigned) return describe({ bytes, width, height }, xmp)
    const jpeg = format === 'jpeg' && isUpright ? replaceMetadata(bytes, xmp) : null
    const unsigned = jpeg ? { bytes: jpeg, width, height } : await reencode(bytes, width * height, xmp)
    const original = { ...unsigned, bytes: await sign(unsigned.bytes) }
    const credentials = format !== 'jpeg' && isSigned ? credentialsFile(format, await sha256(bytes)) : null
    return describe(original, xmp, credentials === null ? null : { [credentials]: bytes })
  })
}

/**
 * Re-encodes an upload as an upright JPEG without metadata but the mark that a program made it, if it has one. Returns what its
 * metadata said, too.
 * @throws UnreadableImage; AppError `busy` while too many uploads are waiting
 */
export async function imageFromUpload(bytes: Uint8Array) {
  return decodeIn(unlessTooManyWait, bytes, async ({ width, height, metadata }) => {
    const marks = readMarks(bytes, metadata)
    const type = marks && keptSourceType(marks)
    const xmp = type ? markXmp(type) : undefined
    return { ...(await describe(await reencode(bytes, width * height, xmp), xmp)), marks }
  })
}

/** Reads the marks and the appearance of a file that is not stored. @throws see `imageFromUpload` */
export async function inspectUpload(bytes: Uint8Array) {
  return decodeIn(unlessTooManyWait, bytes, async ({ width, height, metadata }) => ({
    width,
    height,
    marks: readMarks(bytes, metadata),
    ...(await readAppearance(bytes, { width, height })),
  }))
}

/** Converts a mask that is transparent where an image is redrawn to a PNG that is white there. @throws see `imageFromUpload` */
export async function maskFromAlpha(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const mask = decoder(bytes).autoOrient().extractChannel('alpha').negate().toColourspace('b-w').png()
  return new Uint8Array(await decodeIn(unlessTooManyWait, bytes, () => withDecodingErrors(mask.toBuffer())))
}

/** Encodes an image as the data URL of a PNG of at most this size, with its transparency. @throws see `imageFromUpload` */
export async function smallPngUrl(bytes: Uint8Array, size: number): Promise<string> {
  const box = { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const
  const png = decoder(bytes).autoOrient().resize(box).png({ palette: true })
  const encoded = await decodeIn(unlessTooManyWait, bytes, () => withDecodingErrors(png.toBuffer()))
  return `data:image/png;base64,${encoded.toString('base64')}`
}

/**
 * Creates a variant of a stored original, read once a slot is free; null if it does not exist.
 * @param xmp see `fileXmp`
 * @throws UnreadableImage
 */
export function createVariant(
  read: () => Promise<Uint8Array | null>,
  variant: Variant,
  xmp: string | undefined,
): Promise<Uint8Array | null> {
  return fromOriginal(read, (bytes) => shrink(decoder(bytes), variant, xmp))
}

/** Processes an original that is read once a slot is free. */
function fromOriginal(
  read: () => Promise<Uint8Array | null>,
  process: (bytes: Uint8Array, inspected: Inspected) => Promise<Uint8Array>,
): Promise<Uint8Array | null> {
  return whenSlotIsFree(async () => {
    const bytes = await read()
    return (
      bytes &&
      decodeIn(
        (work) => work(),
        bytes,
        (inspected) => process(bytes, inspected),
      )
    )
  })
}

/** Encoding of an image for other programs. */
export interface Encoding {
  readonly format: 'png' | 'jpeg' | 'webp'
  /** Quality of JPEG and WebP from 0 to 100; the best one without it. */
  readonly quality: number | undefined
}

/**
 * Encodes a stored original, read once a slot is free, in another format, upright, with XMP as its only metadata; null if it
 * does not exist. Content credentials are dropped, as they are signed for the original.
 * @param xmp see `fileXmp`
 * @throws UnreadableImage
 */
export function encodeOriginal(
  read: () => Promise<Uint8Array | null>,
  { format, quality: requested = 100 }: Encoding,
  xmp: string | undefined,
): Promise<Uint8Array | null> {
  return fromOriginal(read, async (bytes, { width, height }) => {
    const upright = decoder(bytes).autoOrient()
    if (format === 'png') {
      const png = await withDecodingErrors(upright.png().toBuffer())
      if (xmp === undefined) return png
      // libvips would compress the packet, into a chunk in which readers do not look for it.
      return withPngChunk(png, 'iTXt', Buffer.from(`XML:com.adobe.xmp${'\0'.repeat(5)}${xmp}`))
    }
    // Encoders accept no quality of 0.
    const quality = Math.max(1, requested)
    const optimizeCoding = width * height <= optimizedPixelsMax
    const encoded = upright.toFormat(format, {
      quality,
      ...(format === 'jpeg' && { chromaSubsampling: '4:4:4', optimizeCoding }),
    })
    return withDecodingErrors(withProducer(encoded, xmp).toBuffer())
  })
}

/** Checks whether a stored variant has its size and can be decoded completely. */
export async function isWholeVariant(bytes: Uint8Array, { size, fit }: Variant): Promise<boolean> {
  try {
    const { info } = await withDecodingErrors(decoder(bytes).raw().toBuffer({ resolveWithObject: true }))
    const sides = [info.width, info.height]
    return fit === 'cover' ? sides.every((side) => side === size) : Math.max(...sides) <= size
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error
    return false
  }
}

/** Bytes that are hashed before other requests get a turn. */
const hashStepBytes = 1024 * 1024

/** Returns the SHA-256 of bytes of any length, in hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += hashStepBytes) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + hashStepBytes))
  }
  return hash.digest('hex')
}

interface Original {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** Detects an image's format from its first bytes. @throws UnreadableImage if it is not accepted */
export function requireFormat(bytes: Uint8Array): ImageFormat {
  const format = sniffFormat(bytes)
  if (!format) throw new UnreadableImage(describedDetail('photo_format'))
  return format
}

/** Reads the format and the size of an image without decoding it. @throws UnreadableImage */
export async function inspect(bytes: Uint8Array) {
  const format = requireFormat(bytes)
  if (format === 'jpeg' && jpegScans(bytes) > scansMax) throw new UnreadableImage(unreadable)
  const metadata = await withDecodingErrors(sharp(bytes, { limitInputPixels: false }).metadata())
  const { width, height } = metadata.autoOrient
  const pixels = width * height
  const bytesPerPixel = decoderBytesPerPixel(format, metadata)
  const maxPixels = Math.min(uploadMaxPixels, decoderMaxBytes / bytesPerPixel)
  if (pixels > maxPixels) {
    throw new UnreadableImage(
      describedDetail('photo_too_many_pixels', { maxMegapixels: Math.floor(maxPixels / 1_000_000) }),
      { tooLarge: true },
    )
  }
  const isUpright = (metadata.orientation ?? 1) === 1
  const decoderBytes = pixels * bytesPerPixel
  return { format, width, height, isUpright, hasAlpha: metadata.hasAlpha, decoderBytes, metadata }
}

/** Estimates the memory that a decoder takes per pixel; a few rows, counted as none, unless it needs the whole image at once. */
function decoderBytesPerPixel(format: ImageFormat, metadata: Metadata): number {
  const { channels, depth, isProgressive, chromaSubsampling, orientation = 1 } = metadata
  const sampleBytes = depth === 'ushort' ? 2 : 1
  // Rotation needs all pixels, in addition to what the decoder keeps.
  const rotationBytes = orientation === 1 ? 0 : channels * sampleBytes
  // libwebp decodes the whole image, twice in memory.
  if (format === 'webp') return rotationBytes + 8
  if (!isProgressive) return rotationBytes
  if (format === 'png') return rotationBytes + channels * sampleBytes
  // Coefficients of two bytes.
  return rotationBytes + 2 * (chromaSubsampling === '4:2:0' ? 1.5 : channels)
}

type Inspected = Awaited<ReturnType<typeof inspect>>

/** Decodes an image in a slot; a large one once no other large one is being decoded. */
async function decodeIn<Result>(
  queue: <Work>(work: () => Promise<Work>) => Promise<Work>,
  bytes: Uint8Array,
  work: (inspected: Inspected) => Promise<Result>,
): Promise<Result> {
  const inspected = await inspect(bytes)
  const isLarge = inspected.decoderBytes > largeDecoderBytes
  return queue(() => (isLarge ? largeDecoders.run(() => work(inspected)) : work(inspected)))
}

const largeDecoders = new Semaphore(1)

async function reencode(bytes: Uint8Array, pixels: number, xmp?: string): Promise<Original> {
  const jpeg = decoder(bytes)
    .autoOrient()
    .flatten({ background: '#fff' })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimizeCoding: pixels <= optimizedPixelsMax })
  const { data, info } = await withDecodingErrors(
    withProducer(jpeg, xmp).toBuffer({ resolveWithObject: true }),
  )
  return { bytes: data, width: info.width, height: info.height }
}

/** @param delivered the file with content credentials that is kept beside the original */
async function describe(
  { bytes, width, height }: Original,
  xmp?: string,
  delivered: ImageFiles | null = null,
) {
  // One after the other, as each may take the memory of the whole image.
  const appearance = await readAppearance(bytes, { width, height })
  const side = Math.max(...thumbnailSizes)
  const square = await pixelsOf(decoder(bytes).autoOrient().resize(side, side, { fit: 'cover' }))
  const shrunk = await Promise.all(
    thumbnails.map(async (variant) => [variant.file, await shrink(square(), variant, xmp)] as const),
  )
  const files: ImageFiles = { [originalFile]: bytes, ...Object.fromEntries(shrunk), ...delivered }
  return {
    files,
    /** Of all files. */
    bytes: Object.values(files).reduce((sum, file) => sum + file.byteLength, 0),
    /** Of the original, in hex. */
    sha256: await sha256(bytes),
    width,
    height,
    /** Name of the file as it was delivered, if that is a PNG or WebP with content credentials; null for any other. */
    credentials: Object.keys(delivered ?? {})[0] ?? null,
    ...appearance,
  }
}

/** Decodes an image. @returns a function that opens its pixels */
async function pixelsOf(image: Sharp): Promise<() => Sharp> {
  const { data, info: raw } = await withDecodingErrors(image.raw().toBuffer({ resolveWithObject: true }))
  return () => sharp(data, { raw })
}

function shrink(image: Sharp, { size, fit }: Variant, xmp?: string): Promise<Uint8Array> {
  const isWhole = fit === 'inside'
  const webp = image
    .autoOrient()
    .resize(size, size, { fit, withoutEnlargement: isWhole })
    .webp({ quality: isWhole ? 80 : 72 })
  return withDecodingErrors(withProducer(webp, xmp).toBuffer())
}

function withProducer(image: Sharp, xmp: string | undefined): Sharp {
  return xmp === undefined ? image : image.withXmp(xmp)
}

/** Longest side of the pixels from which a ThumbHash can be computed. */
const thumbHashSide = 100

async function readAppearance(bytes: Uint8Array, size: ImageDimensions) {
  const upright = decoder(bytes).autoOrient().flatten({ background: '#fff' })
  const pixels = await pixelsOf(upright.resize(fingerprintSide, fingerprintSide, { fit: 'fill' }))
  const { width, height } = sizeWithin(size, { width: thumbHashSide, height: thumbHashSide })
  const rgba = await pixels().resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer()
  const gray = await pixels().toColourspace('b-w').raw().toBuffer()
  return {
    /** ThumbHash in base64. */
    placeholder: Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64'),
    fingerprint: fingerprintOf(gray),
  }
}

/** Opens an image for withDecodingErrors. Like browsers, `failOn: 'truncated'` tolerates warnings; it rejects incomplete files. */
function decoder(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: uploadMaxPixels, failOn: 'truncated' })
}

async function withDecodingErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (cause) {
    throw new UnreadableImage(unreadable, { cause })
  }
}

/** Maximum number of images processed at once. More would need memory without being faster. */
export const imageSlots = availableParallelism()

/** Maximum number of uploads that wait for a slot. Further uploads are rejected. */
export const imageQueueLength = 4 * imageSlots

// Module state, as the slots limit CPU and memory of the whole process.
const slots = new Semaphore(imageSlots)

/** Runs work on a generated image as soon as a slot is free, before all waiting uploads. The queue has no limit. */
export function whenSlotIsFree<Result>(work: () => Promise<Result>): Promise<Result> {
  return slots.run(work, { isUrgent: true })
}

/**
 * Runs work on an upload as soon as a slot is free and no generated image waits.
 * @throws AppError `busy` while too many uploads wait
 */
export async function unlessTooManyWait<Result>(work: () => Promise<Result>): Promise<Result> {
  if (slots.waiting >= imageQueueLength) {
    throw new AppError('busy', describedDetail('photos_busy'), { retryAfter: 10 })
  }
  return slots.run(work)
}
