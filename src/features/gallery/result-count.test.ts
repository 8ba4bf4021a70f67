import { expect, test } from 'vitest'
import { countSentence } from './result-count.tsx'

test.each([
  [0, 'Showing 0 posts'],
  [1, 'Showing 1 post'],
  [12_345, 'Showing 12345 posts'],
])('%i: %s', (total, sentence) => {
  expect(countSentence(total)).toBe(sentence)
})
