import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { originalFile, thumbnailFile, thumbnailSizes } from '../../shared/image-files.ts'
import { cpuTime } from '../../test/support/cpu-time.ts'
import { cutShort, noisyImage, pixelBomb } from '../../test/support/images.ts'
import { jpegSegment, jumbfSegment, withSegments } from '../../test/support/openai/images.ts'
import { scanBomb } from '../../test/support/scan-bomb.ts'
import { imageFromEngine, imageFromUpload, maskFromAlpha, sha256, type Image } from './processing.ts'

const producer = { kind: 'openai', model: 'a-model' } as const

const red = { r: 200, g: 30, b: 30 }
const plain = (
  width = 64,
  height = 48,
  background: { r: number; g: number; b: number; alpha?: number } = red,
) => sharp({ create: { width, height, channels: background.alpha === undefined ? 3 : 4, background } })
const clear = () => plain(64, 48, { ...red, alpha: 0.3 })

/** Creates an image that is red on the left and blue on the right. */
const halves = async () =>
  plain(80, 40, { r: 0, g: 0, b: 255 }).composite([
    { input: await plain(40, 40).png().toBuffer(), left: 0, top: 0 },
  ])

const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()

function fileOf(image: Image, name: string = originalFile): Buffer {
  const bytes = image.files[name]
  if (!bytes) throw new Error(`The image has no ${name}.`)
  return Buffer.from(bytes)
}

async function expectWhole(image: Image, width: number, height: number): Promise<void> {
  expect(image).toMatchObject({ width, height })
  expect(Object.keys(image.files).sort()).toEqual(['320.webp', '480.webp', '640.webp', 'original.jpg'])
  const original = fileOf(image)
  expect(image.sha256).toBe(await sha256(original))
  const { format, autoOrient } = await sharp(original).metadata()
  expect({ format, ...autoOrient }).toMatchObject({ format: 'jpeg', width, height })
  for (const size of thumbnailSizes) {
    const thumbnail = await sharp(fileOf(image, thumbnailFile(size))).metadata()
    expect(thumbnail).toMatchObject({ format: 'webp', width: size, height: size })
  }
  expect(Buffer.from(image.placeholder, 'base64').length).toBeGreaterThan(4)
}

test.each<[string, Sharp]>([
  ['a JPEG', plain().jpeg()],
  ['a progressive JPEG', plain().jpeg({ progressive: true })],
  ['a gray JPEG', plain().greyscale().toColourspace('b-w').jpeg()],
  ['a CMYK JPEG', plain().toColourspace('cmyk').jpeg()],
  ['a PNG', plain().png()],
  ['a transparent PNG', clear().png()],
  ['a PNG with a palette', plain().png({ palette: true })],
  ['a 16-bit PNG', plain().toColourspace('rgb16').png()],
  ['a gray transparent PNG', clear().toColourspace('b-w').png()],
  ['a WebP', plain().webp()],
  ['a lossless WebP', plain().webp({ lossless: true })],
])('accepts %s from an engine and as an upload', async (_, source) => {
  const bytes = await source.toBuffer()
  await expectWhole(await imageFromEngine(bytes, producer), 64, 48)
  await expectWhole(await imageFromUpload(bytes), 64, 48)
})

test.each([
  [1, 1],
  [1, 5_000],
  [5_000, 1],
])('accepts %i × %i pixels', async (width, height) => {
  await expectWhole(await imageFromUpload(await plain(width, height).png().toBuffer()), width, height)
})

describe("an engine's JPEG", () => {
  test('with content credentials is kept byte for byte', async () => {
    const bytes = await plain()
      .withExif({ IFD0: { ImageDescription: 'hush' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const signed = withSegments(bytes, jumbfSegment('c2pa'))
    const image = await imageFromEngine(signed, producer)
    expect(image.files[originalFile]).toBe(signed)
    expect(image).toMatchObject({ width: 48, height: 64 })
  })

  test('without content credentials gets new metadata and keeps every pixel', async () => {
    const described = (await halves())
      .withExif({ IFD0: { ImageDescription: 'hush' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">hush</x:xmpmeta>')
      .jpeg()
    const bytes = withSegments(await described.toBuffer(), jpegSegment(0xfe, 'hush'))
    const original = fileOf(await imageFromEngine(bytes, producer))
    expect(original.includes('hush')).toBe(false)
    const { exif, xmpAsString } = await sharp(original).metadata()
    expect(exif).toBeUndefined()
    expect(xmpAsString).toContain('rangoli:Model="a-model"')
    expect(await pixels(original)).toEqual(await pixels(bytes))
  })
})

test.each([
  ['an engine', (bytes: Buffer) => imageFromEngine(bytes, producer)],
  ['a user', imageFromUpload],
])('rotates an image of %s upright', async (_, process) => {
  const image = await process(await (await halves()).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  await expectWhole(image, 40, 80)
  expect((await sharp(fileOf(image)).metadata()).orientation).toBeUndefined()
  const [top] = await pixels(fileOf(image))
  expect(top).toBeGreaterThan(150)
})

describe('an upload', () => {
  test('is white where it is transparent', async () => {
    const bytes = await plain(64, 48, { r: 0, g: 0, b: 0, alpha: 0 }).png().toBuffer()
    const { dominant } = await sharp(fileOf(await imageFromUpload(bytes))).stats()
    expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240)
  })

  test('loses its metadata and what is appended to it', async () => {
    const appended = ['<script>alert(1)</script>', 'PK\x03\x04 a program', '<svg/>']
    const photo = await plain()
      .withExif({ IFD0: { Copyright: 'Asha' }, IFD3: { GPSLatitude: '19/1 4/1 0/1', GPSLatitudeRef: 'N' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">hush</x:xmpmeta>')
      .jpeg()
      .toBuffer()
    const bytes = Buffer.concat([photo, ...appended.map((text) => Buffer.from(text, 'latin1'))])
    expect(await sharp(bytes).metadata()).toMatchObject({ exif: expect.anything(), xmp: expect.anything() })
    const original = fileOf(await imageFromUpload(bytes))
    const { exif, xmp, iptc, icc } = await sharp(original).metadata()
    expect([exif, xmp, iptc, icc]).toEqual(Array(4).fill(undefined))
    for (const text of ['Asha', 'hush', 'Exif', ...appended])
      expect(original.includes(text, 0, 'latin1')).toBe(false)
  })

  /** Creates an animation whose frames differ in color, from pixels, as encoding each frame takes seconds. */
  function animation(frames: number): Sharp {
    const side = 32
    const channels = 3
    const frameBytes = side ** 2 * channels
    const bytes = Buffer.alloc(frames * frameBytes)
    for (let offset = 0; offset < bytes.length; offset += channels) {
      const frame = Math.floor(offset / frameBytes)
      bytes.set([frame % 256, frame >> 8, 9], offset)
    }
    return sharp(bytes, { raw: { width: side, height: frames * side, channels, pageHeight: side } })
  }

  test.each<[string, () => Promise<Buffer>]>([
    ['a WebP of 3,000 frames', () => animation(3_000).webp({ effort: 0 }).toBuffer()],
    ['a progressive JPEG of 64 scans', async () => scanBomb(512, 1)],
    ['a CMYK JPEG with a profile', () => noisyImage().withIccProfile('cmyk').jpeg().toBuffer()],
    ['a JPEG with a wide profile', () => noisyImage().withIccProfile('p3').jpeg().toBuffer()],
    [
      'an interlaced 16-bit PNG',
      () => noisyImage().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    ],
  ])('becomes a plain JPEG: %s', async (_, create) => {
    const metadata = await sharp(fileOf(await imageFromUpload(await create()))).metadata()
    const { format, space, hasProfile, pages, isProgressive } = metadata
    expect([format, space, hasProfile, pages, isProgressive]).toEqual([
      'jpeg',
      'srgb',
      false,
      undefined,
      false,
    ])
  })
})

const unsupported = 'The photo is not a JPEG, PNG or WebP image.'
const unreadable = 'The photo could not be read as an image.'
const tooManyPixels = 'The photo has more than 40 megapixels.'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
const html = '<!doctype html><script>alert(1)</script>'

/** Returns a PNG whose header claims another size than its data has. The CRC of the chunk is therefore wrong. */
async function withClaimedSize(side: number): Promise<Buffer> {
  const bytes = await noisyImage().png().toBuffer()
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  return bytes
}

test.each<[string, () => Promise<Buffer> | Buffer, message: string | RegExp, tooLarge?: boolean]>([
  ['an empty file', () => Buffer.alloc(0), unsupported],
  ['SVG', () => Buffer.from(svg), unsupported],
  ['SVG after a byte order mark', () => Buffer.from(`\ufeff${svg}`), unsupported],
  ['SVG after a comment', () => Buffer.from(`<!-- \xff\xd8\xff -->${svg}`, 'latin1'), unsupported],
  ['HTML', () => Buffer.from(html), unsupported],
  ['GIF', () => plain(9, 9).gif().toBuffer(), unsupported],
  ['AVIF', () => plain(9, 9).avif().toBuffer(), unsupported],
  ['a WAVE file, in the container of WebP', () => Buffer.from('RIFF\x24\0\0\0WAVEfmt '), unsupported],
  ['HTML with the signature of JPEG', () => Buffer.from(`\xff\xd8\xff${html}`, 'latin1'), unreadable],
  ['SVG with the signature of PNG', () => Buffer.from(`\x89PNG\r\n\x1a\n${svg}`, 'latin1'), unreadable],
  ['three bytes of a JPEG', () => Buffer.from([0xff, 0xd8, 0xff]), unreadable],
  ['a truncated JPEG', () => cutShort(noisyImage().jpeg()), unreadable],
  ['a truncated PNG', () => cutShort(noisyImage().png()), unreadable],
  ['a truncated WebP', () => cutShort(noisyImage().webp()), unreadable],
  ['a JPEG of 883 scans', () => scanBomb(6_000, 14), unreadable],
  ['a PNG of 400 megapixels in one color', pixelBomb, tooManyPixels, true],
  // Some decoders check the CRC first.
  [
    'a PNG that claims 30,000 × 30,000 pixels',
    () => withClaimedSize(30_000),
    new RegExp(`^(${tooManyPixels}|${unreadable})$`),
    expect.any(Boolean) as boolean,
  ],
])('rejects %s without decoding it for long', async (_, create, message, tooLarge = false) => {
  const bytes = await create()
  for (const process of [imageFromUpload, (file: Buffer) => imageFromEngine(file, producer)]) {
    const before = cpuTime()
    const error = await process(bytes).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'UnreadableImage',
      message: expect.stringMatching(message),
      tooLarge,
    })
    expect(cpuTime() - before).toBeLessThan(2_000)
  }
})

describe('decodes large images in bounded memory', () => {
  const translucent = (side: number) => plain(side, side, { ...red, alpha: 0.5 })

  test.each<[string, Sharp, maxMegapixels: number]>([
    [
      'an interlaced PNG of 16 bits',
      translucent(4_950).toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 }),
      24,
    ],
    ['a WebP', translucent(4_950).webp({ lossless: true, effort: 0 }), 24],
    [
      'a progressive JPEG of full color',
      plain(5_700, 5_700).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
      32,
    ],
  ])('rejects %s that takes more', async (_, image, maxMegapixels) => {
    await expect(imageFromUpload(await image.toBuffer())).rejects.toMatchObject({
      message: `The photo has more than ${maxMegapixels} megapixels.`,
      tooLarge: true,
    })
  })

  test.each<[string, Sharp]>([
    ['a JPEG to be rotated', plain(6_300, 6_300).withMetadata({ orientation: 6 }).jpeg()],
    ['a WebP', translucent(4_800).webp({ lossless: true, effort: 0 })],
  ])('two at once of %s', async (_, image) => {
    const bytes = await image.toBuffer()
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
    await Promise.all([imageFromUpload(bytes), imageFromUpload(bytes)])
    clearInterval(watch)
    expect(peak - before).toBeLessThan(250_000_000)
  })
})

describe('a mask with an alpha channel becomes white where it is transparent', () => {
  /** 4 × 2 pixels: transparent, opaque, opaque, half transparent. */
  const alpha = [0, 255, 255, 128]
  const mask = () => {
    const rgba = [...alpha, ...alpha].flatMap((value) => [90, 30, 200, value])
    return sharp(Buffer.from(rgba), { raw: { width: 4, height: 2, channels: 4 } })
  }

  test.each<[string, Sharp]>([
    ['PNG', mask().png()],
    ['PNG with a palette', mask().png({ palette: true })],
    ['gray PNG', mask().toColourspace('b-w').png()],
    ['PNG of 16 bits', mask().toColourspace('rgb16').png()],
    ['WebP', mask().webp({ lossless: true })],
  ])('as %s', async (_, image) => {
    const converted = await maskFromAlpha(await image.toBuffer())
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
