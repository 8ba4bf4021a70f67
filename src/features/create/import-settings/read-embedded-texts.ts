import { load } from 'exifreader'
import type { EmbeddedTexts } from './parse-settings.ts'

/**
 * Reads the texts in the metadata of a JPEG, PNG or WebP file.
 *
 * @returns null if the file is in another format, or is damaged
 */
export async function readEmbeddedTexts(bytes: ArrayBuffer): Promise<EmbeddedTexts | null> {
  try {
    const { pngText, exif, xmp } = await load(bytes, { expanded: true, async: true })
    const exifTexts = [exif?.Make, exif?.Model, exif?.ImageDescription].map((tag) => tag?.description)
    const userComment: unknown = exif?.UserComment
    return {
      chunks: Object.fromEntries(
        Object.entries(pngText ?? {}).map(([keyword, tag]) => [keyword, tag.description]),
      ),
      userComment: decodeUserComment(userComment),
      xmp: xmp?._raw ?? null,
      exifTexts: exifTexts.filter((text) => typeof text === 'string'),
    }
  } catch {
    return null
  }
}

/**
 * Decodes an EXIF UserComment: 8 bytes name the encoding. `UNICODE` is UTF-16 in the byte order of the file by the
 * standard, but programs write either order, so the zero bytes of ASCII characters decide.
 */
function decodeUserComment(tag: unknown): string | null {
  const { value } = (tag ?? {}) as { value?: unknown }
  if (!Array.isArray(value)) return null
  const bytes = Uint8Array.from(value as number[])
  const text = bytes.subarray(8)
  const encoding = new TextDecoder('latin1').decode(bytes.subarray(0, 8))
  if (!encoding.startsWith('UNICODE')) return new TextDecoder().decode(text).replaceAll('\0', '')
  const zeros = (parity: number) => text.filter((byte, index) => byte === 0 && index % 2 === parity).length
  return new TextDecoder(zeros(0) > zeros(1) ? 'utf-16be' : 'utf-16le').decode(text)
}
