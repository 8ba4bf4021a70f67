import { createHash } from 'node:crypto'

/** Start of a segment with the quantization table 3 of 8 bits, which no JPEG of a test uses. */
const labelStart = Buffer.from([0xff, 0xdb, 0x00, 0x43, 0x03])

/** A table has 64 values other than 0. */
const labelLength = labelStart.length + 64

/** Returns a JPEG with the same pixels and bytes that depend on a text. The label is a part of the image, and no metadata. */
export function labelJpeg(jpeg: Buffer, text: string): Buffer {
  const label = Buffer.from(createHash('sha256').update(text).digest('hex'), 'latin1')
  return Buffer.concat([jpeg.subarray(0, 2), labelStart, label, jpeg.subarray(2)])
}

/** Returns the bytes of an image before and after its label, which determine its pixels. */
export function partsWithoutLabel(bytes: Uint8Array): readonly Uint8Array[] {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(labelStart)
  return at === -1 ? [bytes] : [bytes.subarray(0, at), bytes.subarray(at + labelLength)]
}
