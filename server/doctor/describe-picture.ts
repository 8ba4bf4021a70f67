import sharp from 'sharp'
import { sniffFormat, type PictureFormat } from '../formats/sniff-format.ts'
import { bytesInWords } from './amounts.ts'

const names: Record<PictureFormat, string> = { jpeg: 'a JPEG', png: 'a PNG', webp: 'a WebP' }

/** Format and size of a picture, in words too; null where it is broken. */
export async function describePicture(
  bytes: Uint8Array,
): Promise<{ format: PictureFormat; words: string } | null> {
  const format = sniffFormat(bytes)
  if (!format) return null
  try {
    const { info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    const size = `${info.width} × ${info.height} pixels and ${bytesInWords(bytes.length)}`
    return { format, words: `${names[format]} of ${size}` }
  } catch {
    // Whatever the decoder says of it: it can't be shown.
    return null
  }
}
