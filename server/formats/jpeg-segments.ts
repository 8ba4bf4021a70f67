/** Second bytes of the markers that are looked at by name. */
export const jpegMarkers = {
  startOfScan: 0xda,
  endOfImage: 0xd9,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app11: 0xeb,
  app14: 0xee,
} as const

/** A marker of a JPEG and what belongs to it. Offsets count from the start of the file. */
export interface JpegSegment {
  readonly marker: number
  /** Offset of the marker's 0xFF. */
  readonly start: number
  /** Offset behind the length that the segment claims, or behind the marker of the end; it may exceed the file. */
  readonly end: number
}

/**
 * Reads the markers of a JPEG from behind its start to its end, as decoders do: bytes that do not belong anywhere are
 * skipped, as is scan data, which lies between `startOfScan` and the next marker. A file that is cut short ends without
 * `endOfImage`.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  let position = 2
  for (;;) {
    const start = nextMarker(bytes, position)
    const marker = bytes[start + 1]
    if (marker === undefined) return
    if (marker === jpegMarkers.endOfImage) return yield { marker, start, end: start + 2 }
    // A segment's length counts the two bytes that hold it.
    position = start + 2 + (((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0))
    yield { marker, start, end: position }
  }
}

/**
 * Finds the offset of the next marker's 0xFF; the file's length where there is none. In scan data a zero follows each
 * 0xFF, and restart markers may stand.
 */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const second = bytes[at + 1] ?? 0
    const isRestart = second >= 0xd0 && second <= 0xd7
    if (second > 0x01 && second !== 0xff && !isRestart) return at
  }
  return bytes.length
}
