import { expect, it } from 'vitest'
import { contrast, toHex } from './color.ts'

it.each([
  ['white', { l: 1, c: 0, h: 0 }, '#ffffff'],
  ['black', { l: 0, c: 0, h: 0 }, '#000000'],
  ['the red of sRGB', { l: 0.62796, c: 0.25768, h: 29.23 }, '#ff0000'],
  ['the blue of sRGB', { l: 0.45201, c: 0.31321, h: 264.05 }, '#0000ff'],
])('converts %s', (_, color, hex) => {
  expect(toHex(color)).toBe(hex)
})

it('reduces the chroma of a color outside of sRGB', () => {
  expect(toHex({ l: 0.9, c: 0.4, h: 30 })).toMatch(/^#ff[c-e]/)
})

it('measures the contrast of two colors as WCAG defines it', () => {
  expect(contrast({ l: 0, c: 0, h: 0 }, { l: 1, c: 0, h: 0 })).toBeCloseTo(21, 1)
})
