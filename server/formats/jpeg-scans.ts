import { jpegMarkers, jpegSegments } from './jpeg-segments.ts'

/**
 * Counts how many times a JPEG goes over its image. A progressive one does so some ten times; a file of a hundred
 * kilobytes can have a decoder do it thousands of times.
 */
export function jpegScans(bytes: Uint8Array): number {
  let scans = 0
  for (const { marker } of jpegSegments(bytes)) if (marker === jpegMarkers.startOfScan) scans += 1
  return scans
}
