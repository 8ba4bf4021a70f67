import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

test('a long text is cut between words, and never inside a character', () => {
  expect(shortened('one two three', 13)).toBe('one two three')
  expect(shortened('one two three', 12)).toBe('one two…')
  expect(shortened('🪔🪔🪔🪔', 3)).toBe('🪔🪔🪔…')
})
