import { expect, test } from 'vitest'
import { countSentence } from './results.tsx'

test.each([
  [0, 'Showing 0 posts'],
  [1, 'Showing 1 post'],
  [12_345, 'Showing 12345 posts'],
])('counts %i posts as "%s"', (total, sentence) => {
  expect(countSentence(total)).toBe(sentence)
})
