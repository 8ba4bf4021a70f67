import { expect, test } from 'vitest'
import { loadI18n } from '../../i18n/messages.ts'
import { countSentence } from './results.tsx'

test.each([
  [0, 'Showing 0 posts'],
  [1, 'Showing 1 post'],
  [12_345, 'Showing 12345 posts'],
])('counts %i posts as "%s"', async (total, sentence) => {
  expect(countSentence(total, await loadI18n('en'))).toBe(sentence)
})
