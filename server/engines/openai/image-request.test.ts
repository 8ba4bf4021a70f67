import sharp from 'sharp'
import { expect, test } from 'vitest'
import { images } from '../../../test/support/openai/images.ts'
import { createEditMask } from './image-request.ts'

/** Draws a mask whose right half is white. */
const mask = sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="12"><rect x="8" width="8" height="12" fill="white"/></svg>',
  ),
)

test.each([
  ['JPEG', mask.clone().flatten().jpeg()],
  ['PNG', mask.clone().png()],
])('makes the white areas of a %s transparent, in the size of the reference image', async (_, file) => {
  const png = await createEditMask(await file.toBuffer(), images.jpeg)
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 32, height: 24, channels: 4 })
  const pixel = (x: number) => [...data.subarray(x * 4, x * 4 + 4)]
  expect([pixel(0), pixel(31)]).toEqual([
    [0, 0, 0, 255],
    [255, 255, 255, 0],
  ])
})

test('rejects a file that is no image', async () => {
  await expect(createEditMask(images.html, images.jpeg)).rejects.toMatchObject({ code: 'engine_failed' })
})
