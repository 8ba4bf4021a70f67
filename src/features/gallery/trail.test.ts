import { describe, expect, test } from 'vitest'
import type { Post, PostPage } from '../../../shared/posts.ts'
import { placeAt, rowStarts, slotAt } from './places.ts'
import { pagesBetween, slotsOf, startTrail, withNextPage, withPage, type Trail } from './trail.ts'

function page(count: number, nextCursor: string | null): PostPage {
  const posts = Array.from({ length: count }, (_, at) => ({ id: `${at}`, width: 1, height: 1 }) as Post)
  return { posts, total: count, nextCursor }
}

/** Three loaded pages: 24 posts, 24, and 5 at the end of the gallery. */
function wholeTrail(): Trail {
  let trail = withPage(startTrail(null), null, page(24, 'one'))
  trail = withPage(withNextPage(trail), 'one', page(24, 'two'))
  return withPage(withNextPage(trail), 'two', page(5, null))
}

test('appends the next page once the last one has loaded, up to the end of the gallery', () => {
  const start = startTrail(null)
  expect(withNextPage(start)).toBe(start)
  const trail = wholeTrail()
  expect(trail.pages.map(({ cursor }) => cursor)).toEqual([null, 'one', 'two'])
  expect(slotsOf(trail)).toBe(53)
  expect(withNextPage(trail)).toBe(trail)
})

test('returns the same trail for a page without changes', () => {
  const trail = wholeTrail()
  expect(withPage(trail, null, page(24, 'one'))).toBe(trail)
  expect(withPage(trail, 'one', page(24, null))).toBe(trail)
  expect(withPage(trail, 'unknown', page(3, null))).toBe(trail)
})

describe('when posts are added to a page or deleted', () => {
  test('shifts the slots after it and keeps all places', () => {
    const before = wholeTrail()
    const place = placeAt(before, 30)
    expect(place).toEqual({ cursor: 'one', offset: 6 })
    const after = withPage(before, null, page(27, null))
    expect(slotAt(after, place ?? { cursor: null, offset: 0 })).toBe(33)
    expect(slotsOf(after)).toBe(56)
  })

  test('inserts a page if more posts were added than a response holds', () => {
    const trail = withPage(wholeTrail(), null, page(1_000, 'new'))
    expect(trail.pages.map(({ cursor }) => cursor)).toEqual([null, 'new', 'one', 'two'])
  })

  test('moves a place beyond the end of a shortened page to its last post', () => {
    const trail = withPage(wholeTrail(), 'one', page(3, null))
    expect(slotAt(trail, { cursor: 'one', offset: 20 })).toBe(26)
    expect(slotAt(trail, { cursor: 'gone', offset: 0 })).toBeNull()
  })
})

test('breaks rows of whole images where the next one does not fit, over the ends of pages', () => {
  const ratios = [1, 1, 1, 2, 0.5, 0.5, 3, 1]
  const pages = [
    { cursor: null, count: 5, ratios: ratios.slice(0, 5) },
    { cursor: 'one', count: 3, ratios: ratios.slice(5) },
    { cursor: 'two', count: 2, ratios: [] },
  ]
  expect(rowStarts({ pages, next: null }, 330, 100, 10)).toEqual([0, 3, 6, 7])
})

test('finds the pages of a range of slots', () => {
  const trail = wholeTrail()
  const starts = (from: number, to: number) => pagesBetween(trail, from, to).map(({ start }) => start)
  expect([starts(0, 24), starts(20, 49)]).toEqual([[0], [0, 24, 48]])
  expect(placeAt(trail, 53)).toBeNull()
})
