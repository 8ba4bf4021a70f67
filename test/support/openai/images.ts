import sharp from 'sharp'

function plain(background: string) {
  return sharp({ create: { width: 32, height: 24, channels: 3, background } })
}

/** JPEG segment with its marker and length. */
export function jpegSegment(marker: number, content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

/** Inserts segments after the start marker of a JPEG. */
export function withSegments(jpeg: Uint8Array, ...segments: readonly Uint8Array[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

/** JUMBF box. */
function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** APP11 segment with a JUMBF box of the given type, such as `c2pa`. */
export function jumbfSegment(type: string, content = 'signed by the provider'): Buffer {
  const uuid = Buffer.from('00110010800000aa00389b71', 'hex')
  const description = box('jumd', Buffer.from(type), uuid, Buffer.from(`\x03${type}\0`, 'latin1'))
  const packet = Buffer.from('JP\0\x01\0\0\0\x01', 'latin1')
  return jpegSegment(0xeb, Buffer.concat([packet, box('jumb', description, Buffer.from(content))]))
}

const jpeg = await plain('#c30').jpeg().toBuffer()

/** Small images of each format, and files that are no valid images. */
export const images = {
  jpeg,
  /** JPEG with content credentials. */
  signed: withSegments(jpeg, jumbfSegment('c2pa')),
  preview: await plain('#888').jpeg().toBuffer(),
  sharper: await plain('#a64').jpeg().toBuffer(),
  png: await plain('#0a5').png().toBuffer(),
  webp: await plain('#04c').webp().toBuffer(),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  html: Buffer.from('<!doctype html><title>Not here</title>'),
  /** More bytes than an image may have, which start like a JPEG. */
  huge: Buffer.alloc(33_000_000, Buffer.from('\xff\xd8\xff\xe0', 'latin1')),
} as const
