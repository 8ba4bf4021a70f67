import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import { averageColour } from './average-colour.ts'

test('an image of one colour has that colour on average', () => {
  const red = Uint8Array.from({ length: 8 * 8 * 4 }, (_, index) =>
    index % 4 === 0 || index % 4 === 3 ? 255 : 0,
  )
  const placeholder = Buffer.from(rgbaToThumbHash(8, 8, red)).toString('base64')
  const [r = 0, g = 0, b = 0] = Array.from(averageColour(placeholder).matchAll(/\d+/g), Number)
  expect(r).toBeGreaterThan(240)
  expect(g).toBeLessThan(15)
  expect(b).toBeLessThan(15)
})
