import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { originalFile, thumbnailFile, thumbnailSizes } from '../../shared/image-files.ts'
import { jpegSegment, jumbfSegment, withSegments } from '../../test/support/openai/images.ts'
import { cutShort, noisyImage, pixelBomb } from '../../test/support/images.ts'
import {
  imageFromEngine,
  imageFromUpload,
  maskFromAlpha,
  sha256,
  UnreadableImage,
  type Image,
} from './processing.ts'

const producer = { kind: 'openai', model: 'a-model' } as const

const red = { r: 200, g: 30, b: 30 }
const plain = (width: number, height: number, background: Colour = red) =>
  sharp({ create: { width, height, channels: background.alpha === undefined ? 3 : 4, background } })

interface Colour {
  readonly r: number
  readonly g: number
  readonly b: number
  readonly alpha?: number
}

function fileOf(image: Image, name: string): Uint8Array {
  const bytes = image.files[name]
  if (!bytes) throw new Error(`The image has no ${name}.`)
  return bytes
}

async function expectWhole(image: Image, width: number, height: number): Promise<void> {
  expect(image).toMatchObject({ width, height })
  expect(Object.keys(image.files).sort()).toEqual(['320.webp', '480.webp', '640.webp', 'original.jpg'])
  const original = fileOf(image, originalFile)
  expect(image.sha256).toBe(sha256(original))
  const { format, autoOrient } = await sharp(original).metadata()
  expect({ format, ...autoOrient }).toMatchObject({ format: 'jpeg', width, height })
  for (const size of thumbnailSizes) {
    const thumbnail = await sharp(fileOf(image, thumbnailFile(size))).metadata()
    expect(thumbnail).toMatchObject({ format: 'webp', width: size, height: size })
  }
  expect(Buffer.from(image.placeholder, 'base64').length).toBeGreaterThan(4)
}

const kinds: Record<string, Sharp> = {
  'a JPEG': plain(64, 48).jpeg(),
  'a progressive JPEG': plain(64, 48).jpeg({ progressive: true }),
  'a grey JPEG': plain(64, 48).greyscale().toColourspace('b-w').jpeg(),
  'a CMYK JPEG': plain(64, 48).toColourspace('cmyk').jpeg(),
  'a PNG': plain(64, 48).png(),
  'a transparent PNG': plain(64, 48, { ...red, alpha: 0.3 }).png(),
  'a PNG with a palette': plain(64, 48).png({ palette: true }),
  'a 16-bit PNG': plain(64, 48).toColourspace('rgb16').png(),
  'a grey transparent PNG': plain(64, 48, { ...red, alpha: 0.3 })
    .toColourspace('b-w')
    .png(),
  'a WebP': plain(64, 48).webp(),
  'a lossless WebP': plain(64, 48).webp({ lossless: true }),
}

describe.each(Object.entries(kinds))('%s', (_, source) => {
  test('is accepted from an engine and as an upload', async () => {
    const bytes = await source.toBuffer()
    await expectWhole(await imageFromEngine(bytes, producer), 64, 48)
    await expectWhole(await imageFromUpload(bytes), 64, 48)
  })
})

describe("an engine's JPEG", () => {
  const halves = async () =>
    plain(80, 40, { r: 0, g: 0, b: 255 }).composite([
      { input: await plain(40, 40).png().toBuffer(), left: 0, top: 0 },
    ])
  const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()

  test('with content credentials is kept byte for byte', async () => {
    const bytes = await plain(64, 48)
      .withExif({ IFD0: { ImageDescription: 'hush' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const signed = withSegments(bytes, jumbfSegment('c2pa'))
    const image = await imageFromEngine(signed, producer)
    expect(fileOf(image, originalFile)).toBe(signed)
    expect(image).toMatchObject({ width: 48, height: 64 })
  })

  test('without content credentials gets new metadata and keeps every pixel', async () => {
    const bytes = withSegments(
      await (
        await halves()
      )
        .withExif({ IFD0: { ImageDescription: 'hush' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">hush</x:xmpmeta>')
        .jpeg()
        .toBuffer(),
      jpegSegment(0xfe, 'hush'),
    )
    const original = fileOf(await imageFromEngine(bytes, producer), originalFile)
    expect(Buffer.from(original).includes('hush')).toBe(false)
    const { exif, xmpAsString } = await sharp(original).metadata()
    expect(exif).toBeUndefined()
    expect(xmpAsString).toContain('rangoli:Model="a-model"')
    expect((await pixels(original)).equals(await pixels(bytes))).toBe(true)
  })

  test('that is not upright is rotated', async () => {
    const bytes = await (await halves()).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const image = await imageFromEngine(bytes, producer)
    await expectWhole(image, 40, 80)
    const { orientation, xmpAsString } = await sharp(fileOf(image, originalFile)).metadata()
    expect(orientation).toBeUndefined()
    expect(xmpAsString).toContain('rangoli:Model="a-model"')
    const [top] = await pixels(fileOf(image, originalFile))
    expect(top).toBeGreaterThan(150)
  })
})

test('transparent parts of an upload become white', async () => {
  const bytes = await plain(64, 48, { r: 0, g: 0, b: 0, alpha: 0 }).png().toBuffer()
  const { dominant } = await sharp(fileOf(await imageFromUpload(bytes), originalFile)).stats()
  expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240)
})

describe('an upload', () => {
  test('loses the metadata of cameras and editors', async () => {
    const bytes = await plain(64, 48)
      .withExif({ IFD0: { Copyright: 'Asha' }, IFD3: { GPSLatitude: '19/1 4/1 0/1', GPSLatitudeRef: 'N' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">hush</x:xmpmeta>')
      .jpeg()
      .toBuffer()
    expect(await sharp(bytes).metadata()).toMatchObject({ exif: expect.anything(), xmp: expect.anything() })
    const original = fileOf(await imageFromUpload(bytes), originalFile)
    const metadata = await sharp(original).metadata()
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    for (const word of ['Asha', 'hush', 'Exif']) expect(Buffer.from(original).includes(word)).toBe(false)
  })

  test('is rotated upright for every EXIF orientation', async () => {
    // Red is on the left as stored, and on top after rotation.
    const halves = plain(80, 40, { r: 0, g: 0, b: 255 }).composite([
      { input: await plain(40, 40).png().toBuffer(), left: 0, top: 0 },
    ])
    const bytes = await halves.withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const image = await imageFromUpload(bytes)
    await expectWhole(image, 40, 80)
    const original = fileOf(image, originalFile)
    expect((await sharp(original).metadata()).orientation).toBeUndefined()
    const { dominant } = await sharp(
      await sharp(original).extract({ left: 0, top: 0, width: 40, height: 30 }).toBuffer(),
    ).stats()
    expect(dominant.r).toBeGreaterThan(dominant.b)
  })
})

describe('accepts an image of unusual proportions', () => {
  test.each([
    [1, 1],
    [1, 5_000],
    [5_000, 1],
    [8_000, 5_000],
  ])('%i × %i', async (width, height) => {
    await expectWhole(await imageFromUpload(await plain(width, height).png().toBuffer()), width, height)
  })
})

describe('rejects invalid images', () => {
  const unsupported = 'The photo is not a JPEG, PNG or WebP image.'
  const unreadable = 'The photo could not be read as an image.'

  test.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ['an empty file', () => Buffer.alloc(0), unsupported],
    ['text', () => Buffer.from('a lotus'), unsupported],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), unsupported],
    [
      'SVG after a blank line',
      () => Buffer.from('\n<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      unsupported,
    ],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), unsupported],
    ['GIF', () => plain(9, 9).gif().toBuffer(), unsupported],
    ['TIFF', () => plain(9, 9).tiff().toBuffer(), unsupported],
    ['AVIF', () => plain(9, 9).avif().toBuffer(), unsupported],
    ['PDF', () => Buffer.from('%PDF-1.7\n'), unsupported],
    [
      'HTML with the signature of JPEG',
      () => Buffer.from('\xff\xd8\xff<!doctype html><script>alert(1)</script>', 'latin1'),
      unreadable,
    ],
    [
      'SVG with the signature of PNG',
      () => Buffer.from('\x89PNG\r\n\x1a\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'latin1'),
      unreadable,
    ],
    ['three bytes of a JPEG', () => Buffer.from([0xff, 0xd8, 0xff]), unreadable],
    ['a truncated JPEG', () => cutShort(noisyImage().jpeg()), unreadable],
    ['a truncated PNG', () => cutShort(noisyImage().png()), unreadable],
    ['a truncated WebP', () => cutShort(noisyImage().webp()), unreadable],
  ])('%s', async (_, createBytes, message) => {
    const error = await imageFromUpload(await createBytes()).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnreadableImage)
    expect(error).toMatchObject({ message, tooLarge: false })
    await expect(imageFromEngine(await createBytes(), producer)).rejects.toBeInstanceOf(UnreadableImage)
  })

  test('a small file with too many pixels', async () => {
    const error = await imageFromUpload(pixelBomb()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'UnreadableImage',
      message: 'The photo has more than 40 megapixels.',
      tooLarge: true,
    })
  })
})

describe('a mask with an alpha channel becomes white where it is transparent', () => {
  /** 4 × 2 pixels: transparent, opaque, opaque, half transparent. */
  const alpha = [0, 255, 255, 128]
  const mask = () => {
    const pixels = [...alpha, ...alpha].flatMap((value) => [90, 30, 200, value])
    return sharp(Buffer.from(pixels), { raw: { width: 4, height: 2, channels: 4 } })
  }

  test.each<[string, (image: Sharp) => Sharp]>([
    ['PNG', (image) => image.png()],
    ['PNG with a palette', (image) => image.png({ palette: true })],
    ['gray PNG', (image) => image.toColourspace('b-w').png()],
    ['PNG of 16 bits', (image) => image.toColourspace('rgb16').png()],
    ['WebP', (image) => image.webp({ lossless: true })],
  ])('as %s', async (_, encode) => {
    const converted = await maskFromAlpha(await encode(mask()).toBuffer())
    const { format, width, height } = await sharp(converted).metadata()
    expect({ format, width, height }).toEqual({ format: 'png', width: 4, height: 2 })
    const levels = [...(await sharp(converted).extractChannel(0).raw().toBuffer())]
    // Encoders round differently.
    expect(levels.map((level) => Math.round(level / 16))).toEqual([16, 0, 0, 8, 16, 0, 0, 8])
  })

  test('after it is turned upright', async () => {
    const turned = await mask().withMetadata({ orientation: 6 }).png().toBuffer()
    const { width, height } = await sharp(await maskFromAlpha(turned)).metadata()
    expect({ width, height }).toEqual({ width: 2, height: 4 })
  })
})
