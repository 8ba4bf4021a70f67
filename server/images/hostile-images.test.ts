import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { originalFile } from '../../shared/image-files.ts'
import { noisyImage, pixelBomb } from '../../test/support/images.ts'
import { scanBomb } from '../../test/support/scan-bomb.ts'
import { imageFromUpload, UnreadableImage, type Image } from './processing.ts'

const notTaken = 'The photo is not a JPEG, PNG or WebP image.'
const unreadable = 'The photo could not be read as an image.'
const tooManyPixels = 'The photo has more than 40 megapixels.'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'

/** An image whose header says that it is of another size than its data. */
function claiming(bytes: Buffer, width: number, height: number): Buffer {
  const lying = Buffer.from(bytes)
  lying.writeUInt32BE(width, 16)
  lying.writeUInt32BE(height, 20)
  // No sum protects what a decoder has already believed; the one of this chunk is wrong now.
  return lying
}

describe('is rejected by its first bytes, before decoding', () => {
  test.each<[string, () => Buffer]>([
    ['SVG', () => Buffer.from(svg)],
    ['SVG behind a byte order mark', () => Buffer.from(`\ufeff${svg}`)],
    ['SVG in UTF-16', () => Buffer.from(`\ufeff${svg}`, 'utf16le')],
    ['SVG in gzip', () => gzipSync(svg)],
    ['SVG behind a comment', () => Buffer.from(`<!-- \xff\xd8\xff -->${svg}`, 'latin1')],
    ['SVG behind a line break', () => Buffer.from(`\n${svg}`)],
    ['PostScript', () => Buffer.from('%!PS-Adobe-3.0 EPSF-3.0')],
    ['a WAVE sound in WebP’s envelope', () => Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
  ])('%s', async (_, make) => {
    await expect(imageFromUpload(make())).rejects.toMatchObject({ message: notTaken })
  })
})

describe('is rejected without being decoded', () => {
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['a PNG of 400 megapixels in one colour', () => pixelBomb(), tooManyPixels],
    [
      'a PNG that says it is of 30,000 × 30,000 pixels',
      async () => claiming(await noisyImage().png().toBuffer(), 30_000, 30_000),
      // Some decoders check the sum first, and find that the header is none.
      `${tooManyPixels}|${unreadable}`,
    ],
    ['a JPEG that has to be gone over 883 times', () => scanBomb(6_000, 14), unreadable],
  ])('%s', async (_, make, messages) => {
    const bytes = await make()
    const before = performance.now()
    const error = await imageFromUpload(bytes).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnreadableImage)
    expect(messages.split('|')).toContain((error as Error).message)
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})

describe('becomes one plain image', () => {
  const frames = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, number) =>
        sharp({
          create: {
            width: 32,
            height: 32,
            channels: 3,
            background: { r: number % 256, g: number >> 8, b: 9 },
          },
        })
          .png()
          .toBuffer(),
      ),
    )

  test.each<[string, () => Promise<Buffer>, number, number]>([
    [
      'a WebP of 3,000 frames',
      async () =>
        sharp(await frames(3_000), { join: { animated: true } })
          .webp({ effort: 0 })
          .toBuffer(),
      32,
      32,
    ],
    ['a progressive JPEG of 64 scans', async () => scanBomb(1_024, 1), 1_024, 1_024],
    ['a CMYK JPEG with a profile', () => noisyImage().withIccProfile('cmyk').jpeg().toBuffer(), 200, 150],
    ['a JPEG with a wide profile', () => noisyImage().withIccProfile('p3').jpeg().toBuffer(), 200, 150],
    [
      'an interlaced PNG of 16 bits',
      () => noisyImage().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      200,
      150,
    ],
  ])('%s', async (_, make, width, height) => {
    const image = await imageFromUpload(await make())
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
    ['a page', '<script>alert(1)</script>'],
    ['an archive', 'PK\x03\x04 a program'],
    ['a drawing', svg],
  ])('a JPEG that is %s as well loses that', async (_, tail) => {
    const photo = await noisyImage()
      .withExif({ IFD0: { ImageDescription: tail } })
      .jpeg()
      .toBuffer()
    const image = await imageFromUpload(Buffer.concat([photo, Buffer.from(tail, 'latin1')]))
    expect(Buffer.from(original(image)).includes(tail, 0, 'latin1')).toBe(false)
  })
})

test('decodes the largest accepted image in bounded memory', async () => {
  const clear = { r: 1, g: 2, b: 3, alpha: 0.5 }
  const bytes = await sharp({ create: { width: 6_300, height: 6_300, channels: 4, background: clear } })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer()
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
  expect(await imageFromUpload(bytes)).toMatchObject({ width: 6_300, height: 6_300 })
  clearInterval(watch)
  expect(peak - before).toBeLessThan(1_500_000_000)
})

function original(image: Image): Uint8Array {
  const bytes = image.files[originalFile]
  if (!bytes) throw new Error('The image has no original.')
  return bytes
}
