import sharp from 'sharp'
import { expect, test } from 'vitest'
import { noisyImage } from '../../test/support/images.ts'
import { scanBomb } from '../../test/support/scan-bomb.ts'
import { jpegScans } from './jpeg-scans.ts'

test('counts one scan of a plain JPEG and some ten of a progressive one', async () => {
  expect(jpegScans(await noisyImage().jpeg().toBuffer())).toBe(1)
  const progressive = jpegScans(await noisyImage().jpeg({ progressive: true }).toBuffer())
  expect(progressive).toBeGreaterThan(5)
  expect(progressive).toBeLessThan(20)
})

test.each([
  [1, 64],
  [14, 883],
])('counts every scan of a bomb of %i passes', (passes, scans) => {
  expect(jpegScans(scanBomb(2_048, passes))).toBe(scans)
})

test('what stands before a marker without belonging there hides no scan', () => {
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

test('counts no scans of a small image that is kept in the metadata, or that follows the image', async () => {
  const thumbnail = await noisyImage(80, 60).jpeg({ progressive: true }).toBuffer()
  const photo = await noisyImage().jpeg().toBuffer()
  const length = thumbnail.length + 2
  const kept = Buffer.from([0xff, 0xe1, length >> 8, length & 0xff])
  const whole = Buffer.concat([photo.subarray(0, 2), kept, thumbnail, photo.subarray(2), thumbnail])
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
])('comes to an end with %j', (bytes) => {
  expect(jpegScans(Uint8Array.from(bytes))).toBeLessThan(2)
})
