import { expect, test } from 'vitest'
import type { Post, PostPage } from '../../../shared/posts.ts'
import * as decks from './deck.ts'

const page = (ids: string, nextCursor: string | null = null): PostPage => ({
  posts: Array.from(ids, (id) => ({ id, isSensitive: id === 'x' }) as Post),
  total: ids.length,
  nextCursor,
})

/** The ids that a deck shows in turn, from the one that it shows. */
function round(deck: ReturnType<typeof decks.openDeck>, count: number): string {
  let ids = ''
  for (let turn = 0; turn < count; turn += 1) {
    ids += decks.shownIn(deck)?.id ?? '-'
    expect(decks.upcomingIn(deck)).toBe(decks.shownIn(decks.step(deck, 1)))
    deck = decks.step(deck, 1)
  }
  return ids
}

test('shows posts in turn, without sensitive ones, and begins again', () => {
  expect(round(decks.openDeck(page('axbc')), 5)).toBe('abcab')
  expect(decks.shownIn(decks.step(decks.openDeck(page('abc')), -1))?.id).toBe('c')
  expect(round(decks.openDeck(page('')), 2)).toBe('--')
})

test('shows a new post next', () => {
  const deck = decks.refresh(decks.step(decks.openDeck(page('abc')), 1), page('nabc'))
  expect(round(deck, 4)).toBe('bnca')
  expect(round(decks.refresh(decks.openDeck(page('')), page('n')), 1)).toBe('n')
})

test('leaves out posts that are gone, also the one that is shown', () => {
  expect(round(decks.refresh(decks.openDeck(page('abc')), page('ac')), 3)).toBe('aca')
  expect(decks.shownIn(decks.refresh(decks.step(decks.openDeck(page('abc')), 1), page('ac')))?.id).toBe('a')
})

test('leaves out images that do not load until they are listed again', () => {
  const deck = decks.without(decks.openDeck(page('abc')), 'b')
  expect(round(deck, 3)).toBe('aca')
  expect(round(decks.refresh(deck, page('abc')), 3)).toBe('acb')
  expect(decks.without(decks.openDeck(page('a')), 'a').posts).toHaveLength(1)
})

test('shows a large collection part by part, and goes on with a part whose successor has not loaded', () => {
  const first = decks.openDeck(page('abc', 'second'))
  expect(decks.needsFollowing(decks.openDeck(page('abc')))).toBe(false)
  expect(decks.needsFollowing(first)).toBe(true)
  expect(round(first, 4)).toBe('abca')
  let deck = decks.withFollowing(first, page('def', 'third'))
  expect(decks.needsFollowing(deck)).toBe(false)
  expect(round(deck, 5)).toBe('abcde')
  for (let turn = 0; turn < 3; turn += 1) deck = decks.step(deck, 1)
  expect(deck).toMatchObject({ cursor: 'second', next: 'third', following: [] })
  // A new post joins in any part, which loses posts that are gone.
  expect(round(decks.refresh(deck, page('nab', 'second'), page('df')), 3)).toBe('dnf')
})

test('leaves out parts with nothing to show, also when the whole collection is emptied', () => {
  const second = decks.withFollowing(decks.openDeck(page('abc', 'second')), page('x', 'third'))
  expect(second).toMatchObject({ next: 'third', following: [] })
  expect(decks.needsFollowing(decks.withFollowing(second, page('')))).toBe(false)
  const last = decks.step(decks.withFollowing(decks.openDeck(page('a', 'second')), page('b')), 1)
  expect(last).toMatchObject({ cursor: 'second', next: null })
  expect(decks.needsFollowing(decks.withFollowing(last, page('')))).toBe(false)
})

test('keeps a bounded number of posts', () => {
  let deck = decks.openDeck(page('abc', 'second'))
  for (let added = 0; added < 1_000; added += 1)
    deck = decks.step(decks.refresh(deck, page(String.fromCodePoint(0x4e00 + added), 'second')), 1)
  expect(deck.posts.length).toBeLessThanOrEqual(200)
})
