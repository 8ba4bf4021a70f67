import { describe, expect, test } from 'vitest'
import type { Post, PostPage } from '../../../shared/posts.ts'
import { pagesBetween, placeAt, slotAt, slotsOf, startTrail, withNextPage, withPage } from './trail.ts'
import type { Trail } from './trail.ts'

function page(count: number, nextCursor: string | null): PostPage {
  const posts = Array.from({ length: count }, (_, at) => ({ id: `${at}` }) as Post)
  return { posts, total: count, nextCursor }
}

/** Three pages that have come: 24 posts, 24, and 5 at the gallery's end. */
function wholeTrail(): Trail {
  let trail = withPage(startTrail(null), null, page(24, 'one'))
  trail = withPage(withNextPage(trail), 'one', page(24, 'two'))
  return withPage(withNextPage(trail), 'two', page(5, null))
}

test('a trail grows by the page after its last, once that has come, up to the end', () => {
  const start = startTrail(null)
  expect(withNextPage(start)).toBe(start)
  const trail = wholeTrail()
  expect(trail.pages.map(({ cursor }) => cursor)).toEqual([null, 'one', 'two'])
  expect(slotsOf(trail)).toBe(53)
  expect(withNextPage(trail)).toBe(trail)
})

test('a page that comes again with nothing new is the same trail', () => {
  const trail = wholeTrail()
  expect(withPage(trail, null, page(24, 'one'))).toBe(trail)
  expect(withPage(trail, 'one', page(24, null))).toBe(trail)
  expect(withPage(trail, 'elsewhere', page(3, null))).toBe(trail)
})

describe('what comes to a page or goes from it', () => {
  test('moves the slots after it, and no place', () => {
    const before = wholeTrail()
    const place = placeAt(before, 30)
    expect(place).toEqual({ cursor: 'one', offset: 6 })
    const after = withPage(before, null, page(27, null))
    expect(slotAt(after, place ?? { cursor: null, offset: 0 })).toBe(33)
    expect(slotsOf(after)).toBe(56)
  })

  test('may be more than one answer holds: then another page stands between', () => {
    const trail = withPage(wholeTrail(), null, page(1_000, 'new'))
    expect(trail.pages.map(({ cursor }) => cursor)).toEqual([null, 'new', 'one', 'two'])
  })

  test('leaves a place at the end of a page that has become shorter', () => {
    const trail = withPage(wholeTrail(), 'one', page(3, null))
    expect(slotAt(trail, { cursor: 'one', offset: 20 })).toBe(26)
    expect(slotAt(trail, { cursor: 'gone', offset: 0 })).toBeNull()
  })
})

test('the pages of a range of slots', () => {
  const trail = wholeTrail()
  expect(pagesBetween(trail, 0, 24)).toEqual([{ index: 0, begins: 0 }])
  expect(pagesBetween(trail, 20, 49)).toEqual([
    { index: 0, begins: 0 },
    { index: 1, begins: 24 },
    { index: 2, begins: 48 },
  ])
  expect(placeAt(trail, 53)).toBeNull()
})
