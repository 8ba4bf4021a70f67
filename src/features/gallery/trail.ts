import { ratioOf } from '../../../shared/image-files.ts'
import { pageSize } from '../../../shared/limits.ts'
import type { ListOrder } from '../../../shared/page-data.ts'
import type { PostPage } from '../../../shared/posts.ts'

/** A page of the gallery: the posts after its cursor, in the number that the last response had. */
interface TrailPage {
  /** Null for the first page of the gallery. */
  readonly cursor: string | null
  readonly count: number
  /** Width divided by height of each image, which places the rows of posts that are not rendered. */
  readonly ratios: readonly number[]
}

/**
 * The pages that a viewer has scrolled through, newest first. Each ends where the next begins, so a page that is fetched
 * again has the same posts without deleted ones, and the first page also has new posts.
 */
export interface Trail {
  readonly pages: readonly TrailPage[]
  /** Cursor after the last page; null at the end of the gallery, undefined until the last page has loaded. */
  readonly next: string | null | undefined
}

/** Starts a trail at a cursor, or at the newest post. */
export function startTrail(cursor: string | null): Trail {
  return { pages: [{ cursor, count: pageSize, ratios: [] }], next: undefined }
}

/** Appends the next page, with the default page size until it has loaded. */
export function withNextPage(trail: Trail): Trail {
  if (typeof trail.next !== 'string') return trail
  return { pages: [...trail.pages, { cursor: trail.next, count: pageSize, ratios: [] }], next: undefined }
}

/**
 * Applies a loaded page. Returns the same trail if nothing changed.
 *
 * @param order the pages of another order than the newest do not end where the next begins once likes have changed
 */
export function withPage(
  trail: Trail,
  cursor: string | null,
  { posts, nextCursor }: PostPage,
  order: ListOrder = 'new',
): Trail {
  const index = trail.pages.findIndex((candidate) => candidate.cursor === cursor)
  const page = trail.pages[index]
  if (!page) return trail
  const isLast = index === trail.pages.length - 1
  const endsElsewhere = !isLast && nextCursor !== null && nextCursor !== trail.pages[index + 1]?.cursor
  const ratios = posts.map(ratioOf)
  const isSame = page.count === posts.length && ratios.every((ratio, at) => ratio === page.ratios[at])
  if (isSame && (!isLast || nextCursor === trail.next) && !endsElsewhere) return trail
  const pages = trail.pages.with(index, { cursor, count: posts.length, ratios })
  if (isLast) return { pages, next: nextCursor }
  if (endsElsewhere && order !== 'new') return { pages: pages.slice(0, index + 1), next: nextCursor }
  // More posts were added than a response holds: inserts a page for the rest.
  if (endsElsewhere) pages.splice(index + 1, 0, { cursor: nextCursor, count: pageSize, ratios: [] })
  return { pages, next: trail.next }
}

export function slotsOf({ pages }: Trail): number {
  return pages.reduce((sum, { count }) => sum + count, 0)
}

/** The pages that overlap a range of slots, with the first slot of each. */
export function pagesBetween({ pages }: Trail, from: number, to: number) {
  let end = 0
  return pages
    .map((page, index) => ({ page, index, start: (end += page.count) - page.count }))
    .filter(({ page, start }) => start < to && start + page.count > from)
}
