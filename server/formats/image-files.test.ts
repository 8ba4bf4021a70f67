import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { images, jpegSegment, jumbfSegment, withSegments } from '../../test/support/openai/images.ts'
import { tries } from '../../test/fuzz/seed.ts'
import { noisyImage } from '../../test/support/images.ts'
import { scanBomb } from '../../test/support/scan-bomb.ts'
import { hasContentCredentials, jpegScans, readXmp, replaceMetadata } from './image-files.ts'

const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ours --></x:xmpmeta>'

const pixels = (jpeg: Uint8Array) => sharp(jpeg, { failOn: 'warning' }).raw().toBuffer()

/** Adds a comment before each segment of a JPEG. */
function withCommentsEverywhere(jpeg: Buffer): Buffer {
  const parts = jpeg.toString('latin1').split(/(?=\xff[\xc0-\xcf\xda-\xdf])(?!\xff[\xd0-\xd9])/)
  return Buffer.concat(
    parts.flatMap((part) => [Buffer.from(part, 'latin1'), jpegSegment(0xfe, 'hush')]).slice(0, -1),
  )
}

describe('replaceMetadata', () => {
  test.each([
    ['a plain JPEG', noisyImage().jpeg()],
    ['a progressive one', noisyImage().jpeg({ progressive: true })],
    ['one with a color profile', noisyImage().withIccProfile('p3').jpeg()],
    ['a CMYK one', noisyImage().toColourspace('cmyk').jpeg()],
    ['a gray one', noisyImage().toColourspace('b-w').jpeg()],
    [
      'one with EXIF',
      noisyImage()
        .withExif({ IFD0: { Copyright: 'hush' } })
        .jpeg(),
    ],
  ])('keeps every pixel of %s', async (_, image) => {
    const jpeg = withCommentsEverywhere(await image.toBuffer())
    expect(jpeg.includes('hush')).toBe(true)
    const replaced = Buffer.from(replaceMetadata(jpeg, xmp) ?? [])
    expect((await pixels(replaced)).equals(await pixels(jpeg))).toBe(true)
    expect(replaced.includes('hush')).toBe(false)
    const [before, after] = [await sharp(jpeg).metadata(), await sharp(replaced).metadata()]
    expect(after.icc).toEqual(before.icc)
    expect([after.exif, after.xmpAsString]).toEqual([undefined, xmp])
  })

  test('keeps JFIF as the first segment', () => {
    const jfif = jpegSegment(0xe0, 'JFIF\0\x01\x02\x01\0\x48\0\x48\0\0')
    const replaced = replaceMetadata(withSegments(images.jpeg, jfif, jpegSegment(0xe1, 'Exif\0\0')), xmp)
    expect(Buffer.from(replaced ?? []).indexOf(jfif)).toBe(2)
  })

  test('is idempotent', () => {
    const once = replaceMetadata(images.signed, xmp) ?? Buffer.of()
    expect(replaceMetadata(once, xmp)).toEqual(once)
  })

  test.each([
    ['an end', images.jpeg.subarray(0, -2)],
    [
      'all of a segment',
      withSegments(Buffer.from([0xff, 0xd8, 0xff, 0xd9]), Buffer.from([0xff, 0xe1, 0x10, 0])),
    ],
    ['a possible length', withSegments(images.jpeg, Buffer.from([0xff, 0xe1, 0, 1]))],
    ['anything', Buffer.of()],
  ])('returns null for a file that lacks %s', (_, jpeg) => {
    expect(replaceMetadata(jpeg, xmp)).toBeNull()
  })

  test('removes all other segments in any order', () => {
    const segment = fc
      .record({ marker: fc.integer({ min: 0xe0, max: 0xfe }), content: fc.string({ maxLength: 40 }) })
      .map(({ marker, content }) => jpegSegment(marker, `${content}hush`))
    fc.assert(
      fc.property(fc.array(fc.oneof(segment, fc.uint8Array({ maxLength: 9, max: 0xfe }))), (segments) => {
        const replaced = replaceMetadata(withSegments(images.jpeg, ...segments), xmp)
        if (replaced) expect(Buffer.from(replaced).includes('hush')).toBe(false)
      }),
      tries(100),
    )
  })
})

describe('hasContentCredentials', () => {
  test.each([
    ['a C2PA manifest', [jumbfSegment('c2pa')], true],
    ['one behind other segments', [jpegSegment(0xe1, 'Exif\0\0'), jumbfSegment('c2pa')], true],
    ['a JUMBF box of another type', [jumbfSegment('json', 'c2pa')], false],
    ['a C2PA box in another segment', [jpegSegment(0xe1, jumbfSegment('c2pa').subarray(4))], false],
    ['another APP11 segment', [jpegSegment(0xeb, 'HDR_RI ver=11 jumb c2pa')], false],
    ['a comment', [jpegSegment(0xfe, 'JP jumb c2pa')], false],
    ['nothing', [], false],
  ])('checks %s', (_, segments, expected) => {
    expect(hasContentCredentials(withSegments(images.jpeg, ...segments))).toBe(expected)
  })
})

test('jpegScans counts one scan of a plain JPEG and about ten of a progressive one', async () => {
  expect(jpegScans(await noisyImage().jpeg().toBuffer())).toBe(1)
  const progressive = jpegScans(await noisyImage().jpeg({ progressive: true }).toBuffer())
  expect(progressive).toBeGreaterThan(5)
  expect(progressive).toBeLessThan(20)
})

test.each([
  [1, 64],
  [14, 883],
])('jpegScans counts every scan of a bomb of %i passes', (passes, scans) => {
  expect(jpegScans(scanBomb(2_048, passes))).toBe(scans)
})

test('jpegScans counts scans after bytes that belong to no segment', () => {
  const bomb = scanBomb(2_048, 1)
  const at = bomb.indexOf(Buffer.from([0xff, 0xda]))
  for (const filler of [
    [0xff, 0xff, 0xff],
    [0x00, 0x12],
    [0xff, 0xd3],
    [0xff, 0x01],
    [0xff, 0x00],
  ]) {
    const padded = Buffer.concat([bomb.subarray(0, at), Buffer.from(filler), bomb.subarray(at)])
    expect(jpegScans(padded)).toBe(64)
  }
})

test('jpegScans ignores an image in the metadata and one after the image', async () => {
  const thumbnail = await noisyImage(80, 60).jpeg({ progressive: true }).toBuffer()
  const jpeg = await noisyImage().jpeg().toBuffer()
  const length = thumbnail.length + 2
  const header = Buffer.from([0xff, 0xe1, length >> 8, length & 0xff])
  const whole = Buffer.concat([jpeg.subarray(0, 2), header, thumbnail, jpeg.subarray(2), thumbnail])
  expect((await sharp(whole).metadata()).width).toBe(200)
  expect(jpegScans(whole)).toBe(1)
})

test.each([
  [[]],
  [[0xff]],
  [[0xff, 0xd8]],
  [[0xff, 0xd8, 0xff]],
  [[0xff, 0xd8, 0xff, 0xda]],
  [[0xff, 0xd8, 0xff, 0xda, 0, 0]],
])('jpegScans terminates for %j', (bytes) => {
  expect([0, 1, Infinity]).toContain(jpegScans(Uint8Array.from(bytes)))
})

test('jpegScans finds no end of scans after a segment of an impossible length or too many segments', () => {
  const bomb = scanBomb(2_048, 14)
  for (const segment of [Buffer.from([0xff, 0xe1, 0, 0]), Buffer.from([0xff, 0xe1, 0, 2])]) {
    const padded = Buffer.concat([
      bomb.subarray(0, 2),
      ...Array<Buffer>(10_000).fill(segment),
      bomb.subarray(2),
    ])
    expect(jpegScans(padded)).toBe(Infinity)
  }
})

test('reads any repeated bytes in the time of a few plain passes', () => {
  const bytes = Buffer.alloc(4 * 1024 * 1024)
  const cpuOf = (work: () => unknown) => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const pass = () => {
    let sum = 0
    for (const byte of bytes) sum += byte
    return sum
  }
  const plainPass = Math.max(cpuOf(pass), cpuOf(pass), 10_000)
  const byte = fc.oneof(
    fc.constantFrom(0xff, 0xd8, 0xe1, 0xda, 0xeb, 0, 1, 2, 3),
    fc.integer({ max: 255, min: 0 }),
  )
  fc.assert(
    fc.property(fc.boolean(), fc.tuple(byte, byte, byte, byte), (isJpeg, pattern) => {
      bytes.fill(Buffer.from(pattern))
      if (isJpeg) bytes.set([0xff, 0xd8, 0xff, 0xe0])
      for (const read of [
        jpegScans,
        hasContentCredentials,
        (jpeg: Buffer) => replaceMetadata(jpeg, xmp),
        readXmp,
      ])
        expect(cpuOf(() => read(bytes))).toBeLessThan(20 * plainPass)
    }),
    {
      ...tries(20),
      examples: [
        [false, [0xff, 0xe1, 0, 0]],
        [true, [0xff, 0xe1, 0, 0]],
        [true, [0xff, 0xff, 0xff, 0xff]],
        [true, [0xff, 0xe1, 0, 2]],
      ],
    },
  )
})
