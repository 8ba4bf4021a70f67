import { expect, test } from 'vitest'
import { hasLongRun, initialOf, shorten } from './text.tsx'
import { splitLongRuns } from './wrapped-text.tsx'

test('shortens a text between words and never inside a character', () => {
  expect(shorten('one two three', 13)).toBe('one two three')
  expect(shorten('one two three', 12)).toBe('one two…')
  expect(shorten('🪔🪔🪔🪔', 3)).toBe('🪔🪔🪔…')
})

test.each([
  ['words', 'a lotus in the rain '.repeat(200)],
  ['nothing', ''],
  ['a word of 200 letters', 'a'.repeat(200)],
])('does not split a text of %s', (_, text) => {
  expect(hasLongRun(text)).toBe(false)
  expect(splitLongRuns(text)).toEqual([text])
})

test.each([
  ['Latin', 'a'],
  ['Hindi', 'क्षि'],
  ['Tamil', 'க்ஷௌ'],
  ['emoji', '👩🏽‍❤️‍💋‍👩🏿'],
  ['no-break spaces', 'a\u00a0'],
])('splits a long word of %s between characters', (_, character) => {
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

test('does not split a single long character', () => {
  const women = `👩${'\u200d👩'.repeat(300)}`
  expect(splitLongRuns(`${women} and ${women}`).join('')).toBe(`${women} and ${women}`)
})

test.each([
  ['Asha Rao', 'A'],
  ['  émile', 'É'],
  ['लक्ष्मी', 'ल'],
  ['हिमा', 'हि'],
  ['👩🏽‍🎨 Mira', '👩🏽‍🎨'],
  ['', '?'],
])('the initial of %j is %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial)
})
