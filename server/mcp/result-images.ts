import { buffer } from 'node:stream/consumers'
import type { ImageContent } from '@modelcontextprotocol/server'
import sharp from 'sharp'
import { fitFile, originalFile, type FitSize } from '../../shared/image-files.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { OpenImageFile } from '../images/image-access.ts'
import { whenSlotIsFree } from '../images/processing.ts'

/** Maximum size of the images of one result, in bytes: with base64 it stays below the limit of 1 MB that some clients have. */
export const resultImagesMaxBytes = 700_000

/** Smaller copies in the order in which they are tried. The last one fits for every image. */
const copies: readonly { readonly size: FitSize; readonly quality: number }[] = [
  { size: 1_280, quality: 82 },
  { size: 640, quality: 80 },
  { size: 640, quality: 40 },
]

interface ResultImage {
  /** Path of the original on this site. */
  readonly photo: string
  readonly maxBytes: number
  /** Longest side, in pixels; that of the original without it. */
  readonly maxSize?: FitSize
  readonly viewer: () => Promise<Viewer | null>
}

/** Reads an image as JPEG content of a result: the original, or a copy if it is too large. Null if its file does not exist. */
export async function readResultImage(
  open: OpenImageFile,
  { photo, maxBytes, maxSize, viewer }: ResultImage,
): Promise<ImageContent | null> {
  const folder = photo.split('/').at(-2) ?? ''
  const read = async (file: string) => {
    const found = await open(folder, file, 'GET', viewer)
    return found?.stream ? buffer(found.stream()) : null
  }
  const original = maxSize === undefined ? await open(folder, originalFile, 'HEAD', viewer) : null
  if (original && original.size <= maxBytes) return toContent(await read(originalFile))

  let jpeg: Uint8Array | null = null
  for (const { size, quality } of copies) {
    if (size > (maxSize ?? size)) continue
    const webp = await read(fitFile(size))
    // The metadata of the copy says which engine generated the image, and nothing else.
    jpeg = webp && (await whenSlotIsFree(() => sharp(webp).keepMetadata().jpeg({ quality }).toBuffer()))
    if (jpeg === null || jpeg.byteLength <= maxBytes) break
  }
  return toContent(jpeg)
}

function toContent(jpeg: Uint8Array | null): ImageContent | null {
  return jpeg && { type: 'image', data: Buffer.from(jpeg).toString('base64'), mimeType: 'image/jpeg' }
}
