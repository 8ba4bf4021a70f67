import { expect, test } from 'vitest'
import { clockTime, likelyShare, remainingSentence, usualSentence, waitSentence } from './progress.ts'
import { loadI18n } from '../../i18n/messages.ts'

const i18n = await loadI18n('en')

test('formats seconds as minutes and seconds', () => {
  expect([0, 7, 125].map(clockTime)).toEqual(['0:00', '0:07', '2:05'])
})

test.each([
  [0.3, 0, 'usually about a second'],
  [6.4, 2, 'usually about 6 seconds'],
  [18.2, 20, 'usually about 20 seconds'],
  [18.2, 40, 'longer than usual'],
  [130, 3, 'usually about 2 minutes'],
])('describes a usual duration of %d seconds after %i seconds as "%s"', (usual, seconds, text) => {
  expect(i18n._(usualSentence(usual, seconds))).toBe(text)
})

test.each([
  [0.05, 30, null],
  [0.5, 1, null],
  [0.25, 10, 'about 30 seconds left'],
  [0.99, 20, 'about a second left'],
  [0.1, 30, 'about 5 minutes left'],
])('describes what is left when a fraction of %d is done after %i seconds', (share, seconds, text) => {
  const sentence = remainingSentence(share, seconds)
  expect(sentence && i18n._(sentence)).toBe(text)
})

test('describes the time until a generation starts', () => {
  expect(i18n._(waitSentence(12))).toBe('starts in about 10 seconds')
})

test('estimates a fraction that only grows and never reaches 1', () => {
  const shares = [0, 10, 20, 60, 100_000].map((seconds) => likelyShare(20, seconds))
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares[0]).toBe(0)
  expect(shares.at(-1)).toBeLessThan(1)
})
