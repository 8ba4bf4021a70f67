import { createCipheriv } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { expect } from 'vitest'
import { pngChunk } from '../../server/formats/image-files.ts'

/** Encodes an image as a data URL. */
export function dataUrl(bytes: Uint8Array, type = 'image/jpeg'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

let imagesOfFile = { file: '', count: 0 }

/**
 * Creates an image of noise, which compresses badly and differs from all others of the test file. All files get the same
 * images, whose thumbnails are then remembered.
 */
export function noisyImage(width = 200, height = 150): Sharp {
  const { testPath: file = '' } = expect.getState()
  imagesOfFile = { file, count: imagesOfFile.file === file ? imagesOfFile.count + 1 : 0 }
  const channels = 3
  return sharp(noise(width * height * channels, imagesOfFile.count), { raw: { width, height, channels } })
}

/** Creates pseudorandom bytes with a mean of 128 and a standard deviation of 43. */
function noise(length: number, seed: number): Buffer {
  const nonce = Buffer.alloc(16)
  nonce.writeUInt32BE(seed)
  const uniform = createCipheriv('aes-128-ctr', Buffer.alloc(16), nonce).update(Buffer.alloc(3 * length))
  const bytes = Buffer.alloc(length)
  for (let index = 0; index < length; index += 1) {
    const at = 3 * index
    bytes[index] = ((uniform[at] ?? 0) + (uniform[at + 1] ?? 0) + (uniform[at + 2] ?? 0)) / 3
  }
  return bytes
}

/** Returns the first 70 % of an image file, as after an interrupted transfer. */
export async function cutShort(image: Sharp): Promise<Buffer> {
  const bytes = await image.toBuffer()
  return bytes.subarray(0, Math.floor(bytes.length * 0.7))
}

let bomb: Buffer | undefined

/** Returns a valid PNG of 20,000 × 20,000 white pixels in about 50 kB. */
export function pixelBomb(): Buffer {
  return (bomb ??= createPixelBomb())
}

function createPixelBomb(): Buffer {
  const side = 20_000
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Appends a chunk to a WebP. */
export function withWebpChunk(webp: Uint8Array, type: string, content: Uint8Array): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(content.length, 4)
  const file = Buffer.concat([webp, head, content, Buffer.alloc(content.length % 2)])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}
