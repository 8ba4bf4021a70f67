const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * How many times a JPEG goes over its picture. A progressive one does so some ten times; a file of a hundred kilobytes
 * can have a decoder do it thousands of times. What should not be there is passed over, as decoders do.
 */
export function jpegScans(bytes: Uint8Array): number {
  let scans = 0
  // Behind the marker that begins every JPEG.
  let position = 2
  for (;;) {
    const at = nextMarker(bytes, position)
    const marker = bytes[at]
    if (marker === undefined || marker === endOfImage) return scans
    if (marker === startOfScan) scans += 1
    // A segment's length counts the two bytes that say it.
    position = at + 1 + (((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0))
  }
}

/**
 * Where the next marker has its second byte; the file's length where there is none. In a scan's data a zero follows
 * each 0xFF, and restart markers may stand.
 */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const second = bytes[at + 1] ?? 0
    const isRestart = second >= 0xd0 && second <= 0xd7
    if (second > 0x01 && second !== 0xff && !isRestart) return at + 1
  }
  return bytes.length
}
