import sharp from 'sharp'
import { sniffFormat, type PictureFormat } from '../formats/sniff-format.ts'
import { bytesInWords } from './amounts.ts'

/** Format and size of a picture, in words too. */
export async function describePicture(
  bytes: Uint8Array,
): Promise<{ format: PictureFormat | null; words: string }> {
  const format = sniffFormat(bytes)
  const { width, height } = await sharp(bytes).metadata()
  const name = { jpeg: 'a JPEG', png: 'a PNG', webp: 'a WebP' }[format ?? 'jpeg']
  return { format, words: `${name} of ${width} × ${height} pixels and ${bytesInWords(bytes.length)}` }
}
