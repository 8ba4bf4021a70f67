import type { Metadata } from 'sharp'
import { parseSettings, userCommentEncoding } from '../../shared/embedded-settings.ts'
import { isAiType, saysAiMade, sourceTypes, type ImageMarks, type SourceType } from '../../shared/marks.ts'
import { contentCredentials } from './image-files.ts'

/** Maximum length of a text that is searched for settings. Workflows of ComfyUI have some hundred kilobytes. */
const textMaxLength = 1_000_000

/** A source type in XMP or in a manifest. In the latter, the next field follows without a separator. */
const sourceTypePattern = new RegExp(
  String.raw`digitalsourcetype(?:/|\s*=\s*["']|\s*>\s*)(${sourceTypes.join('|')})`,
  'gi',
)

/** Reads the marks of a file; null for a file without any. */
export function readMarks(
  bytes: Uint8Array,
  { xmp, exif, comments = [] }: Pick<Metadata, 'xmp' | 'exif' | 'comments'>,
): ImageMarks | null {
  const packet = xmp?.toString('utf8', 0, textMaxLength) ?? null
  const credentials = contentCredentials(bytes)
  const manifest = credentials?.toString('latin1', 0, textMaxLength) ?? ''
  const types = [...sourceTypesIn(packet ?? ''), ...sourceTypesIn(manifest)]
  const settings = parseSettings({
    chunks: Object.fromEntries(
      comments.filter(({ text }) => text.length <= textMaxLength).map(({ keyword, text }) => [keyword, text]),
    ),
    ...exifTextsOf(exif?.subarray(0, textMaxLength) ?? Buffer.of()),
    xmp: packet,
  })
  const marks = {
    // Of several, the one that says most: a camera's photo may have been changed by a model.
    sourceType: types.find(isAiType) ?? types[0] ?? null,
    generator: settings?.format ?? null,
    hasCredentials: credentials !== null,
  }
  return marks.sourceType || marks.generator || marks.hasCredentials ? marks : null
}

function sourceTypesIn(text: string): SourceType[] {
  return Array.from(text.matchAll(sourceTypePattern), ([, term = '']) =>
    sourceTypes.find((type) => type.toLowerCase() === term.toLowerCase()),
  ).filter((type) => type !== undefined)
}

/** Finds texts in EXIF without its directories: a comment begins with its encoding, other texts end with a zero. */
function exifTextsOf(exif: Buffer) {
  const at = ['UNICODE\0', 'ASCII\0\0\0']
    .map((code) => exif.indexOf(code, 0, 'latin1'))
    .find((one) => one >= 0)
  const comment = at === undefined ? null : exif.subarray(at)
  return {
    userComment: comment && new TextDecoder(userCommentEncoding(comment)).decode(comment.subarray(8)),
    exifTexts: exif.toString().split('\0'),
  }
}

/** Returns the source type that the copy of a marked upload keeps; null for one that says nothing of a program. */
export function keptSourceType(marks: ImageMarks): SourceType | null {
  const { sourceType } = marks
  if (saysAiMade(marks)) return sourceType && isAiType(sourceType) ? sourceType : 'trainedAlgorithmicMedia'
  return sourceType === 'algorithmicMedia' || sourceType === 'compositeSynthetic' ? sourceType : null
}
