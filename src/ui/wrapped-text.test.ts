import { expect, test } from 'vitest'
import { hasLongRun, splitLongRuns } from './wrapped-text.tsx'

test.each([
  ['words', 'a lotus in the rain '.repeat(200)],
  ['nothing', ''],
  ['a word of 200 letters', 'a'.repeat(200)],
])('a text of %s stays whole', (_, text) => {
  expect(hasLongRun(text)).toBe(false)
  expect(splitLongRuns(text)).toEqual([text])
})

test.each([
  ['Latin', 'a'],
  ['Hindi', 'क्षि'],
  ['Tamil', 'க்ஷௌ'],
  ['emoji', '👩🏽‍❤️‍💋‍👩🏿'],
  ['no-break spaces', 'a\u00a0'],
])('an endless word of %s is split between characters', (_, character) => {
  const text = `A lotus ${character.repeat(600)} in the rain`
  expect(hasLongRun(text)).toBe(true)
  const pieces = splitLongRuns(text)
  expect(pieces.join('')).toBe(text)
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const boundaries = new Set([...graphemes.segment(text)].map(({ index }) => index))
  let end = 0
  for (const piece of pieces) {
    expect(boundaries.has(end)).toBe(true)
    expect(piece.length).toBeLessThanOrEqual(220)
    expect(hasLongRun(piece)).toBe(false)
    end += piece.length
  }
})

test('one endless character stays whole', () => {
  const women = `👩${'\u200d👩'.repeat(300)}`
  expect(splitLongRuns(`${women} and ${women}`).join('')).toBe(`${women} and ${women}`)
})
