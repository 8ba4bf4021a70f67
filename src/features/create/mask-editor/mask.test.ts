import { describe, expect, test } from 'vitest'
import { extend, marginsOf, nearestSize, type Margins } from './mask.ts'

const free = { sizes: [], customSizes: { min: 64, max: 2048, step: 8 } }
const fixed = { sizes: ['1024x1024', '1536x1024', '1024x1536'] as const, customSizes: null }
const none: Margins = { left: 0, right: 0, top: 0, bottom: 0 }

describe('extending an image', () => {
  test.each([
    ['to a multiple that the engine takes', { right: 61 }, { right: 64 }],
    ['on both sides of an axis', { left: 30, right: 30 }, { left: 30, right: 34 }],
    ['at most by its own length', { top: 5_000 }, { top: 520 }],
    ['beyond the longest side that the engine takes', { left: 2_000, right: 10 }, { left: 1_024, right: 16 }],
    ['not for less than nothing', { bottom: -20 }, {}],
  ])('goes %s', (_what, wanted, expected) => {
    const extended = extend({ ...none, ...wanted }, { width: 1_024, height: 520 }, free)
    expect(extended).toEqual({ ...none, ...expected })
  })

  test('takes every number of pixels for engines that scale', () => {
    expect(extend({ ...none, top: 7 }, { width: 333, height: 333 }, fixed)).toEqual({ ...none, top: 7 })
  })
})

test('the latest extension counts', () => {
  const extension = (left: number) => ({ kind: 'extend', margins: { ...none, left } }) as const
  expect(marginsOf([])).toEqual(none)
  expect(marginsOf([extension(8), { kind: 'invert' }, extension(16)])).toEqual({ ...none, left: 16 })
})

test.each([
  [{ width: 1_024, height: 520 }, free, '1024x520'],
  [{ width: 1_001, height: 30 }, free, '1000x64'],
  [{ width: 4_096, height: 1_024 }, free, '2048x512'],
  [{ width: 1_200, height: 800 }, fixed, '1536x1024'],
  [{ width: 1_200, height: 800 }, { sizes: [], customSizes: null }, null],
])('an image of %o gets a size that the engine takes', (image, limits, size) => {
  expect(nearestSize(image, limits)).toBe(size)
})
