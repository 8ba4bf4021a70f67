import { load } from 'exifreader'
import { userCommentEncoding, type EmbeddedTexts } from '../../../../shared/embedded-settings.ts'

/**
 * Reads the texts in the metadata of a JPEG, PNG or WebP file.
 *
 * @returns null if the file is in another format, or is damaged
 */
export async function readEmbeddedTexts(bytes: ArrayBuffer): Promise<EmbeddedTexts | null> {
  try {
    const { pngText, exif, xmp } = await load(bytes, { expanded: true, async: true })
    const exifTexts = [exif?.Make, exif?.Model, exif?.ImageDescription].map((tag) => tag?.description)
    const userComment = exif?.UserComment as { readonly value?: unknown } | undefined
    return {
      chunks: Object.fromEntries(
        Object.entries(pngText ?? {}).map(([keyword, tag]) => [keyword, tag.description]),
      ),
      userComment: decodeUserComment(userComment?.value),
      xmp: xmp?._raw ?? null,
      exifTexts: exifTexts.filter((text) => typeof text === 'string'),
    }
  } catch {
    return null
  }
}

function decodeUserComment(value: unknown): string | null {
  if (!Array.isArray(value)) return null
  const bytes = Uint8Array.from(value as number[])
  return new TextDecoder(userCommentEncoding(bytes)).decode(bytes.subarray(8)).replaceAll('\0', '')
}
