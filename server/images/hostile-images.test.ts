import { gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { originalFile } from '../../shared/image-files.ts'
import { noisyImage, pixelBomb } from '../../test/support/images.ts'
import { scanBomb } from '../../test/support/scan-bomb.ts'
import { imageFromUpload, UnreadableImage, type Image } from './processing.ts'

const unsupported = 'The photo is not a JPEG, PNG or WebP image.'
const unreadable = 'The photo could not be read as an image.'
const tooManyPixels = 'The photo has more than 40 megapixels.'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'

/** Returns a PNG whose header claims another size than its data has. */
function withClaimedSize(bytes: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt32BE(width, 16)
  changed.writeUInt32BE(height, 20)
  // The CRC of the chunk stays unchanged, and is therefore wrong.
  return changed
}

describe('rejects by the first bytes, before decoding', () => {
  test.each<[string, () => Buffer]>([
    ['SVG', () => Buffer.from(svg)],
    ['SVG after a byte order mark', () => Buffer.from(`\ufeff${svg}`)],
    ['SVG in UTF-16', () => Buffer.from(`\ufeff${svg}`, 'utf16le')],
    ['SVG in gzip', () => gzipSync(svg)],
    ['SVG after a comment', () => Buffer.from(`<!-- \xff\xd8\xff -->${svg}`, 'latin1')],
    ['SVG after a line break', () => Buffer.from(`\n${svg}`)],
    ['PostScript', () => Buffer.from('%!PS-Adobe-3.0 EPSF-3.0')],
    [
      'a WAVE file, which has the same container as WebP',
      () => Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
    ],
  ])('%s', async (_, createBytes) => {
    await expect(imageFromUpload(createBytes())).rejects.toMatchObject({ message: unsupported })
  })
})

describe('rejects without decoding', () => {
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['a PNG of 400 megapixels in one color', () => pixelBomb(), tooManyPixels],
    [
      'a PNG that claims 30,000 × 30,000 pixels',
      async () => withClaimedSize(await noisyImage().png().toBuffer(), 30_000, 30_000),
      // Some decoders check the CRC first.
      `${tooManyPixels}|${unreadable}`,
    ],
    ['a JPEG of 883 scans', () => scanBomb(6_000, 14), unreadable],
  ])('%s', async (_, createBytes, messages) => {
    const bytes = await createBytes()
    const before = performance.now()
    const error = await imageFromUpload(bytes).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnreadableImage)
    expect(messages.split('|')).toContain((error as Error).message)
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})

describe('re-encodes as a plain JPEG', () => {
  /** Creates an animation whose frames differ in color, from pixels, as encoding each frame takes seconds. */
  function animation(frames: number): Sharp {
    const side = 32
    const channels = 3
    const pixels = Buffer.alloc(frames * side ** 2 * channels)
    for (let offset = 0; offset < pixels.length; offset += channels) {
      const frame = Math.floor(offset / (side ** 2 * channels))
      pixels.set([frame % 256, frame >> 8, 9], offset)
    }
    return sharp(pixels, { raw: { width: side, height: frames * side, channels, pageHeight: side } })
  }

  test.each<[string, () => Promise<Buffer>, number, number]>([
    ['a WebP of 3,000 frames', () => animation(3_000).webp({ effort: 0 }).toBuffer(), 32, 32],
    ['a progressive JPEG of 64 scans', async () => scanBomb(1_024, 1), 1_024, 1_024],
    ['a CMYK JPEG with a profile', () => noisyImage().withIccProfile('cmyk').jpeg().toBuffer(), 200, 150],
    ['a JPEG with a wide profile', () => noisyImage().withIccProfile('p3').jpeg().toBuffer(), 200, 150],
    [
      'an interlaced 16-bit PNG',
      () => noisyImage().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      200,
      150,
    ],
  ])('%s', async (_, createBytes, width, height) => {
    const image = await imageFromUpload(await createBytes())
    expect(image).toMatchObject({ width, height })
    const { format, space, hasProfile, pages, isProgressive } = await sharp(original(image)).metadata()
    expect({ format, space, hasProfile, pages, isProgressive }).toEqual({
      format: 'jpeg',
      space: 'srgb',
      hasProfile: false,
      pages: undefined,
      isProgressive: false,
    })
  })

  test.each<[string, string]>([
    ['an HTML page', '<script>alert(1)</script>'],
    ['a ZIP archive', 'PK\x03\x04 a program'],
    ['an SVG', svg],
  ])('removes %s that is appended to a JPEG', async (_, tail) => {
    const photo = await noisyImage()
      .withExif({ IFD0: { ImageDescription: tail } })
      .jpeg()
      .toBuffer()
    const image = await imageFromUpload(Buffer.concat([photo, Buffer.from(tail, 'latin1')]))
    expect(Buffer.from(original(image)).includes(tail, 0, 'latin1')).toBe(false)
  })
})

describe('decodes large images in bounded memory', () => {
  const side = 6_300
  const color = { r: 1, g: 2, b: 3 }
  const opaque = (size = side) =>
    sharp({ create: { width: size, height: size, channels: 3, background: color } })
  const clear = (size = side) =>
    sharp({ create: { width: size, height: size, channels: 4, background: { ...color, alpha: 0.5 } } })

  test.each<[string, () => Sharp, number]>([
    ['an interlaced PNG of 16 bits', () => clear().toColourspace('rgb16').png({ progressive: true }), 24],
    ['a WebP', () => clear().webp({ lossless: true, effort: 0 }), 24],
    [
      'a progressive JPEG of full color',
      () => opaque().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
      32,
    ],
  ])('rejects %s that takes more', async (_, create, maxMegapixels) => {
    await expect(imageFromUpload(await create().toBuffer())).rejects.toMatchObject({
      message: `The photo has more than ${maxMegapixels} megapixels.`,
      tooLarge: true,
    })
  })

  test.each<[string, () => Sharp]>([
    ['a JPEG', () => opaque().jpeg()],
    ['a JPEG to be rotated', () => opaque().withMetadata({ orientation: 6 }).jpeg()],
    ['an interlaced PNG', () => clear().png({ progressive: true })],
    ['a PNG of 16 bits', () => clear().toColourspace('rgb16').png()],
    ['a WebP', () => clear(4_800).webp({ lossless: true, effort: 0 })],
    ['a progressive JPEG', () => opaque().jpeg({ progressive: true })],
  ])('two at once of %s', async (_, create) => {
    const bytes = await create().toBuffer()
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
    await Promise.all([imageFromUpload(bytes), imageFromUpload(bytes)])
    clearInterval(watch)
    expect(peak - before).toBeLessThan(250_000_000)
  })
})

function original(image: Image): Uint8Array {
  const bytes = image.files[originalFile]
  if (!bytes) throw new Error('The image has no original.')
  return bytes
}
