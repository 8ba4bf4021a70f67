import { pageSize } from '../../../shared/limits.ts'
import type { PostPage } from '../../../shared/posts.ts'

/** A page of the gallery: the posts that are older than its cursor, as many as there were when it was last seen. */
export interface TrailPage {
  /** Null at the gallery's beginning. */
  readonly cursor: string | null
  readonly count: number
}

/**
 * The pages that a reader has come by, newest first; each ends where the next begins. So a page that is asked for again
 * holds the same posts, less what was deleted, and the first one also what is new.
 */
export interface Trail {
  readonly pages: readonly TrailPage[]
  /** Where the last page ends: a cursor; null where the gallery ends too; undefined until it has come. */
  readonly next: string | null | undefined
}

/** A place among the posts: how far from the beginning of which page. It holds when pages before it change. */
export interface Place {
  readonly cursor: string | null
  readonly offset: number
}

/** The trail of a reader who starts at a cursor, or at the newest post. */
export function startTrail(cursor: string | null): Trail {
  return { pages: [{ cursor, count: pageSize }], next: undefined }
}

/** One more page, at the end; as many posts are expected of it as a page has. */
export function withNextPage(trail: Trail): Trail {
  if (typeof trail.next !== 'string') return trail
  return { pages: [...trail.pages, { cursor: trail.next, count: pageSize }], next: undefined }
}

/** What is known once a page has come; the same trail where that is nothing new. */
export function withPage(trail: Trail, cursor: string | null, { posts, nextCursor }: PostPage): Trail {
  const index = trail.pages.findIndex((page) => page.cursor === cursor)
  const known = trail.pages[index]
  if (!known) return trail
  const isLast = index === trail.pages.length - 1
  const endsElsewhere = !isLast && nextCursor !== null && nextCursor !== trail.pages[index + 1]?.cursor
  if (known.count === posts.length && (!isLast || nextCursor === trail.next) && !endsElsewhere) return trail
  const pages = trail.pages.with(index, { cursor, count: posts.length })
  if (isLast) return { pages, next: nextCursor }
  // More came to it than one answer holds: another page stands between it and the next.
  if (endsElsewhere) pages.splice(index + 1, 0, { cursor: nextCursor, count: pageSize })
  return { pages, next: trail.next }
}

/** How many posts stand on a trail. */
export function slotsOf({ pages }: Trail): number {
  return pages.reduce((sum, { count }) => sum + count, 0)
}

/** Which slot a place is, counted from the trail's beginning; its page's last where that has become shorter. */
export function slotAt(trail: Trail, { cursor, offset }: Place): number | null {
  let before = 0
  for (const page of trail.pages) {
    if (page.cursor === cursor) return before + Math.max(0, Math.min(offset, page.count - 1))
    before += page.count
  }
  return null
}

/** Which place a slot is. */
export function placeAt(trail: Trail, slot: number): Place | null {
  let before = 0
  for (const { cursor, count } of trail.pages) {
    if (slot < before + count) return { cursor, offset: slot - before }
    before += count
  }
  return null
}

/** The pages that stand in a range of slots, as their indices, with the slot that each begins at. */
export function pagesBetween(
  trail: Trail,
  from: number,
  to: number,
): { readonly index: number; readonly begins: number }[] {
  const found = []
  let begins = 0
  for (const [index, { count }] of trail.pages.entries()) {
    if (begins < to && begins + count > from) found.push({ index, begins })
    begins += count
  }
  return found
}
