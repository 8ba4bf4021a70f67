import { expect, test } from 'vitest'
import { galleryAddress, termIn } from './use-search-term.ts'

test.each(['lotus', 'lotus moon', '50%25', '100%', 'a+b&c=d#e?', '"quoted"', 'दीया', '🪔'])(
  'the address of a search for %j leads back to it',
  (term) => {
    expect(termIn(new URL(galleryAddress(term), 'http://localhost').search)).toBe(term)
  },
)

test('no term is the plain address', () => {
  expect(galleryAddress('')).toBe('/')
  expect(termIn('')).toBe('')
  expect(termIn('?q=%20%20')).toBe('')
})
