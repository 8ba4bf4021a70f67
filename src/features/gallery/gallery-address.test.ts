import { expect, test } from 'vitest'
import { cursorIn, galleryPath, termIn } from './gallery-address.ts'

test.each(['lotus', 'lotus moon', '50%25', '100%', 'a+b&c=d#e?', '"quoted"', 'दीया', '🪔'])(
  'round-trips the search term %j',
  (term) => {
    expect(termIn(new URL(galleryPath(term), 'http://localhost').search)).toBe(term)
  },
)

test('round-trips a cursor', () => {
  const { search } = new URL(galleryPath('lotus', 'cG9zdDo1'), 'http://localhost')
  expect([termIn(search), cursorIn(search)]).toEqual(['lotus', 'cG9zdDo1'])
  expect(galleryPath('', 'cG9zdDo1')).toBe('/?cursor=cG9zdDo1')
  expect(cursorIn('')).toBeNull()
})

test('omits an empty search term', () => {
  expect(galleryPath('')).toBe('/')
  expect(termIn('')).toBe('')
  expect(termIn('?q=%20%20')).toBe('')
})
