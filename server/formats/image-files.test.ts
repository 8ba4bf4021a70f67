import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { images, jpegSegment, jumbfSegment, withSegments } from '../../test/support/openai/images.ts'
import { cpuTime } from '../../test/support/cpu-time.ts'
import { tries } from '../../test/fuzz/seed.ts'
import { noisyImage } from '../../test/support/images.ts'
import { scanBomb } from '../../test/support/scan-bomb.ts'
import { hasContentCredentials, jpegScans, readXmp, replaceMetadata } from './image-files.ts'
import { imageXmp } from './xmp.ts'

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

const start = Buffer.from([0xff, 0xd8])
const bomb = scanBomb(2_048, 1)
const scansAt = bomb.indexOf(Buffer.from([0xff, 0xda]))
const withFiller = (...filler: number[]) =>
  Buffer.concat([bomb.subarray(0, scansAt), Buffer.from(filler), bomb.subarray(scansAt)])
const repeated = (...segment: number[]) =>
  withSegments(scanBomb(2_048, 14), ...Array<Buffer>(10_000).fill(Buffer.from(segment)))
const plain = await noisyImage().jpeg().toBuffer()
const progressive = await noisyImage(80, 60).jpeg({ progressive: true }).toBuffer()

describe('jpegScans', () => {
  test.each<[string, Buffer, number]>([
    ['one of a plain JPEG', plain, 1],
    ['all of a bomb', bomb, 64],
    ['all of a bomb of 14 passes', scanBomb(2_048, 14), 883],
    ['those after fill bytes', withFiller(0xff, 0xff, 0xff), 64],
    ['those after other bytes', withFiller(0x00, 0x12), 64],
    ['those after a restart marker', withFiller(0xff, 0xd3), 64],
    ['those after a reserved marker', withFiller(0xff, 0x01), 64],
    ['those after a stuffed zero', withFiller(0xff, 0x00), 64],
    [
      'none in the metadata and after the image',
      Buffer.concat([withSegments(plain, jpegSegment(0xe1, progressive)), progressive]),
      1,
    ],
    ['no end of them after an impossible length', repeated(0xff, 0xe1, 0, 0), Infinity],
    ['no end of them after too many segments', repeated(0xff, 0xe1, 0, 2), Infinity],
    ['none of an empty file', Buffer.of(), 0],
    ['none of a start marker', start, 0],
    ['none of three bytes', Buffer.concat([start, Buffer.of(0xff)]), 0],
    ['no end of them without a length', Buffer.concat([start, Buffer.of(0xff, 0xda)]), Infinity],
  ])('counts %s', (_, jpeg, scans) => {
    expect(jpegScans(jpeg)).toBe(scans)
  })
})

test('escapes the model in XMP', () => {
  const model = 'rangoli:Model="a&quot;&lt;b&gt;&amp;c"'
  expect(imageXmp({ kind: 'openai', model: 'a"<b>&c' })).toContain(model)
})

test('reads any repeated bytes in the time of a few plain passes', () => {
  const bytes = Buffer.alloc(4 * 1024 * 1024)
  const cpuOf = (work: () => unknown) => {
    const before = cpuTime()
    work()
    return cpuTime() - before
  }
  const pass = () => {
    let sum = 0
    for (const byte of bytes) sum += byte
    return sum
  }
  const plainPass = Math.max(cpuOf(pass), cpuOf(pass), 10)
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
