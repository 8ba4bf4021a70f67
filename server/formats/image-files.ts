import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'

export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** Detects the format of an image from its first bytes; null for any other format, such as SVG. */
export function sniffFormat(bytes: Uint8Array): ImageFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF[^]{4}WEBP$/.test(head)) return 'webp'
  return null
}

/** Second bytes of JPEG markers. */
const markers = {
  startOfScan: 0xda,
  endOfImage: 0xd9,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app11: 0xeb,
  app14: 0xee,
} as const

/** A marker of a JPEG and its segment. Offsets count from the start of the file. */
interface JpegSegment {
  readonly marker: number
  /** Offset of the marker's 0xFF. */
  readonly start: number
  /** Offset after the length that the segment declares, or after the end marker; may exceed the file. */
  readonly end: number
}

/** Maximum number of segments that are read. A JPEG of 20 MB with a manifest and a hundred scans has fewer than a thousand. */
const segmentsMax = 2_000

/**
 * Reads the segments of a JPEG as decoders do, skipping scan data and bytes that belong to no segment. A truncated file
 * ends without `endOfImage`, as does one with an impossible segment length or too many segments.
 */
function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  let position = 2
  for (let count = 0; count < segmentsMax; count += 1) {
    const start = nextMarker(bytes, position)
    const marker = bytes[start + 1]
    if (marker === undefined) return
    if (marker === markers.endOfImage) return yield { marker, start, end: start + 2 }
    // A segment's length includes the two bytes of the length itself.
    position = start + 2 + (((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0))
    yield { marker, start, end: position }
    if (position < start + 4) return
  }
}

/**
 * Finds the offset of the next marker's 0xFF; the file's length if there is none. In scan data a zero follows each 0xFF,
 * and restart markers may occur. Takes the same time for all bytes, unlike calls of `indexOf`.
 */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const second = bytes[at + 1] ?? 0
    const isRestart = second >= 0xd0 && second <= 0xd7
    if (second > 0x01 && second !== 0xff && !isRestart) return at
  }
  return bytes.length
}

/**
 * Counts the scans of a JPEG. A progressive one has about ten; a file of a hundred kilobytes can have thousands, each of
 * which a decoder applies to the whole image. Infinity if decoders may find more segments than are read here.
 */
export function jpegScans(bytes: Uint8Array): number {
  let [segments, scans] = [0, 0]
  for (const { marker, start, end } of jpegSegments(bytes)) {
    segments += 1
    const isEnd = marker === markers.endOfImage
    if (segments === segmentsMax || (!isEnd && end < start + 4)) return Infinity
    if (marker === markers.startOfScan) scans += 1
  }
  return scans
}

const xmpIdentifier = 'http://ns.adobe.com/xap/1.0/\0'

/** A JUMBF box whose description starts with the type `c2pa`; either box may have a long length. */
const c2paBox = /^JP[^]{6,22}jumb[^]{0,8}c2pa/

/** Application segments that affect the pixels, by their first bytes. */
const imageSegments: Readonly<Record<number, string>> = {
  [markers.app0]: 'JFIF\0',
  [markers.app2]: 'ICC_PROFILE\0',
  [markers.app14]: 'Adobe',
}

/** Detects the Content Credentials of a JPEG, PNG or WebP; see `contentCredentials`. */
export function hasContentCredentials(bytes: Uint8Array): boolean {
  return contentCredentials(bytes) !== null
}

/**
 * Returns the C2PA manifests of a file, with headers of their segments; null if it has none. A JPEG has them as JUMBF boxes
 * in APP11 segments, PNG and WebP as a chunk.
 *
 * @see https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html
 */
export function contentCredentials(bytes: Uint8Array): Buffer | null {
  const format = sniffFormat(bytes)
  if (format === 'jpeg') return jpegCredentials(bytes)
  return format && findChunk(bytes, format)
}

function jpegCredentials(jpeg: Uint8Array): Buffer | null {
  const segments: Uint8Array[] = []
  let isFound = false
  for (const segment of jpegSegments(jpeg)) {
    if (segment.marker === markers.startOfScan) break
    if (segment.marker !== markers.app11) continue
    isFound ||= c2paBox.test(segmentText(jpeg, segment, 64))
    segments.push(jpeg.subarray(segment.start + 4, segment.end))
  }
  return isFound ? Buffer.concat(segments) : null
}

/** Finds the chunk with C2PA manifests. A chunk of a PNG has a checksum; one of a WebP is padded to an even length. */
function findChunk(bytes: Uint8Array, format: 'png' | 'webp'): Buffer | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const isPng = format === 'png'
  for (let at = isPng ? 8 : 12; at + 8 <= file.length;) {
    const length = isPng ? file.readUInt32BE(at) : file.readUInt32LE(at + 4)
    const type = file.toString('latin1', isPng ? at + 4 : at, isPng ? at + 8 : at + 4)
    const end = at + 8 + length
    if (type === (isPng ? 'caBX' : 'C2PA')) return file.subarray(at + 8, end)
    at = end + (isPng ? 4 : length % 2)
  }
  return null
}

/** Inserts a chunk after the header of a PNG. */
export function withPngChunk(png: Uint8Array, type: string, content: Uint8Array): Buffer {
  const afterHeader = 33
  return Buffer.concat([png.subarray(0, afterHeader), pngChunk(type, content), png.subarray(afterHeader)])
}

/** @see https://www.w3.org/TR/png-3/#5Chunk-layout */
export function pngChunk(type: string, content: Uint8Array): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), content, Buffer.alloc(4)])
  chunk.writeUInt32BE(content.length)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

/**
 * Replaces all metadata of a JPEG by an XMP packet without changing pixels. Removes EXIF (with the orientation), XMP, IPTC,
 * comments, previews and bytes after the image; keeps color profiles.
 *
 * @returns null for a JPEG that is truncated or has a segment of an impossible length
 */
export function replaceMetadata(jpeg: Uint8Array, xmp: string): Uint8Array | null {
  const segments = wholeSegments(jpeg)
  if (!segments) return null
  const parts = segments.flatMap((segment, index) => {
    if (!isPartOfImage(jpeg, segment)) return []
    const end = segment.marker === markers.startOfScan ? segments[index + 1]?.start : segment.end
    return [jpeg.subarray(segment.start, end)]
  })
  return withSegments(jpeg, parts, [xmpSegment(xmp)])
}

/** Joins the start marker of a JPEG, parts of it, and metadata. */
function withSegments(
  jpeg: Uint8Array,
  parts: readonly Uint8Array[],
  metadata: readonly Uint8Array[],
): Uint8Array {
  // JFIF must be the first segment.
  const position = parts[0]?.[1] === markers.app0 ? 1 : 0
  return Buffer.concat([jpeg.subarray(0, 2), ...parts.toSpliced(position, 0, ...metadata)])
}

export interface DownloadMetadata {
  readonly xmp: string
  /** EXIF comment of any length; null for none. */
  readonly comment: string | null
}

/**
 * Replaces the metadata before the first scan of a JPEG without changing pixels; keeps color profiles.
 *
 * @param start at least the bytes before the first scan
 * @returns the new bytes, and the number of bytes at the start that they replace; null if `start` is too short
 */
export function replaceHeader(start: Uint8Array, { xmp, comment }: DownloadMetadata) {
  const kept: Uint8Array[] = []
  for (const segment of jpegSegments(start)) {
    if (segment.marker === markers.startOfScan) {
      const metadata = [...(comment === null ? [] : [exifSegment(comment)]), xmpSegment(xmp)]
      return { header: withSegments(start, kept, metadata), replacedBytes: segment.start }
    }
    if (isPartOfImage(start, segment)) kept.push(start.subarray(segment.start, segment.end))
  }
  return null
}

/** Maximum number of segments before our XMP packet: it follows JFIF, and EXIF in downloads. */
const segmentsBeforeXmpMax = 32
const bytesBeforeXmpMax = 128 * 1024

/** Returns the first XMP packet where we write it in a JPEG; null if there is none that is valid UTF-8. */
export function readXmp(jpeg: Uint8Array): string | null {
  if (sniffFormat(jpeg) !== 'jpeg') return null
  let segments = 0
  for (const segment of jpegSegments(jpeg.subarray(0, bytesBeforeXmpMax))) {
    segments += 1
    if (segment.marker === markers.startOfScan || segments > segmentsBeforeXmpMax) return null
    if (!isXmp(jpeg, segment)) continue
    const packet = jpeg.subarray(segment.start + 4 + xmpIdentifier.length, segment.end)
    return isUtf8(packet) ? Buffer.from(packet.buffer, packet.byteOffset, packet.length).toString() : null
  }
  return null
}

/** Returns the segments of a complete JPEG; null if they cannot be separated reliably. */
function wholeSegments(jpeg: Uint8Array): JpegSegment[] | null {
  const segments = [...jpegSegments(jpeg)]
  const areWhole = segments.every(({ marker, start, end }) =>
    marker === markers.endOfImage ? true : end >= start + 4 && end <= jpeg.length,
  )
  return areWhole && segments.at(-1)?.marker === markers.endOfImage ? segments : null
}

/** Reports whether a segment affects the pixels: frames, tables, scans and some application segments. */
function isPartOfImage(jpeg: Uint8Array, segment: JpegSegment): boolean {
  const { marker } = segment
  if (marker >= 0xc0 && marker <= 0xdf) return true
  const prefix = imageSegments[marker]
  return prefix !== undefined && segmentText(jpeg, segment, prefix.length) === prefix
}

function isXmp(jpeg: Uint8Array, segment: JpegSegment): boolean {
  return segment.marker === markers.app1 && segmentText(jpeg, segment, xmpIdentifier.length) === xmpIdentifier
}

function segmentText(jpeg: Uint8Array, { start, end }: JpegSegment, maxBytes = Infinity): string {
  const content = jpeg.subarray(start + 4, Math.min(end, start + 4 + maxBytes))
  return Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1')
}

const segmentMaxBytes = 0xffff - 2

/** Maximum number of bytes of an XMP packet in one segment. */
export const xmpMaxBytes = segmentMaxBytes - xmpIdentifier.length

function xmpSegment(xmp: string): Buffer {
  return app1Segment(Buffer.from(xmpIdentifier + xmp))
}

/**
 * EXIF before a user comment. The offsets of its two directories count from the TIFF header, `MM`.
 *
 * @see https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2023-E
 */
const exifHead = Buffer.from(
  [
    'Exif\0\0MM\0*\0\0\0\x08',
    // One entry: the pointer to the second directory.
    '\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x1a\0\0\0\0',
    // Two entries: the version of EXIF, and the comment, whose length is filled in.
    '\0\x02\x90\0\0\x07\0\0\0\x040232',
    '\x92\x86\0\x07\0\0\0\0\0\0\0\x38\0\0\0\0',
    'UNICODE\0',
  ].join(''),
  'latin1',
)
const exifCommentLengthAt = 50

/** Maximum number of UTF-16 code units of an EXIF comment in one segment. */
export const commentMaxLength = Math.floor((segmentMaxBytes - exifHead.length) / 2)

/** Builds EXIF with a user comment in UTF-16, as AUTOMATIC1111 writes it. */
function exifSegment(comment: string): Buffer {
  const text = Buffer.from(comment, 'utf16le').swap16()
  const exif = Buffer.concat([exifHead, text])
  exif.writeUInt32BE(8 + text.length, exifCommentLengthAt)
  return app1Segment(exif)
}

function app1Segment(content: Buffer): Buffer {
  const head = Buffer.from([0xff, markers.app1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
