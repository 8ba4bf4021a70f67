import { jpegMarkers, jpegSegments, type JpegSegment } from './jpeg-segments.ts'

const { startOfScan, endOfImage, app0, app1, app2, app11, app14 } = jpegMarkers

const xmpIdentifier = 'http://ns.adobe.com/xap/1.0/\0'

/** A JUMBF box whose description begins with the type `c2pa`; either box may have a long length. */
const c2paBox = /^JP[^]{6,22}jumb[^]{0,8}c2pa/

/** Application segments without which an image looks different, by how they begin. */
const kept: Readonly<Record<number, string>> = {
  [app0]: 'JFIF\0',
  [app2]: 'ICC_PROFILE\0',
  [app14]: 'Adobe',
}

/**
 * Detects the C2PA manifest of a JPEG: a JUMBF box of that type in an APP11 segment.
 *
 * @see https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html
 */
export function hasContentCredentials(jpeg: Uint8Array): boolean {
  for (const segment of jpegSegments(jpeg)) {
    if (segment.marker === startOfScan) return false
    if (segment.marker === app11 && c2paBox.test(textOf(jpeg, segment, 64))) return true
  }
  return false
}

/**
 * Detects EXIF, comments and anything else in a JPEG that is not needed to show it.
 *
 * @param ownXmp text by which XMP is recognised that may be there
 */
export function hasMetadata(jpeg: Uint8Array, ownXmp: string): boolean {
  const segments = wholeSegments(jpeg)
  if (!segments) return true
  const isOwn = (segment: JpegSegment) => {
    const text = segment.marker === app1 ? textOf(jpeg, segment) : ''
    return text.startsWith(xmpIdentifier) && text.includes(ownXmp)
  }
  return (
    segments.at(-1)?.end !== jpeg.length ||
    segments.some((segment) => !isPartOfImage(jpeg, segment) && !isOwn(segment))
  )
}

/**
 * Replaces all metadata of a JPEG by an XMP packet, without touching a pixel: EXIF, XMP, IPTC, comments, previews and
 * whatever follows the image are left out, colour profiles stay. Orientation is EXIF and is lost, too.
 *
 * @returns null for a JPEG that is cut short or has a segment of an impossible length
 */
export function replaceMetadata(jpeg: Uint8Array, xmp: string): Uint8Array | null {
  const segments = wholeSegments(jpeg)
  if (!segments) return null
  const parts = segments.flatMap((segment, index) => {
    if (!isPartOfImage(jpeg, segment)) return []
    const end = segment.marker === startOfScan ? segments[index + 1]?.start : segment.end
    return [jpeg.subarray(segment.start, end)]
  })
  // JFIF has to come first where it is there.
  const position = parts[0]?.[1] === app0 ? 1 : 0
  return Buffer.concat([jpeg.subarray(0, 2), ...parts.toSpliced(position, 0, xmpSegment(xmp))])
}

/** The segments of a JPEG to its end; null where they can't be told apart for sure. */
function wholeSegments(jpeg: Uint8Array): JpegSegment[] | null {
  const segments = [...jpegSegments(jpeg)]
  const areWhole = segments.every(({ marker, start, end }) =>
    marker === endOfImage ? true : end >= start + 4 && end <= jpeg.length,
  )
  return areWhole && segments.at(-1)?.marker === endOfImage ? segments : null
}

/** Frames, tables and scans are needed for the pixels, of the application segments only some. */
function isPartOfImage(jpeg: Uint8Array, segment: JpegSegment): boolean {
  const { marker } = segment
  if (marker >= 0xc0 && marker <= 0xdf) return true
  const beginning = kept[marker]
  return beginning !== undefined && textOf(jpeg, segment, beginning.length) === beginning
}

function textOf(jpeg: Uint8Array, { start, end }: JpegSegment, maxBytes = Infinity): string {
  const content = jpeg.subarray(start + 4, Math.min(end, start + 4 + maxBytes))
  return Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1')
}

function xmpSegment(xmp: string): Buffer {
  const content = Buffer.from(xmpIdentifier + xmp)
  const head = Buffer.from([0xff, app1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
