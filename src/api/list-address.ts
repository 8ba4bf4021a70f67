import type { ListAddress, ListOrder } from '../../shared/page-data.ts'
import { topPeriods } from '../../shared/posts.ts'
import type { PostSort, TopPeriod } from '../../shared/posts.ts'
import { authorPath, matchPath, pagePaths } from '../../shared/routes.ts'

/** The gallery of all posts. */
export const galleryAddress: ListAddress = { authorId: null, search: '', order: 'new', cursor: null }

/**
 * Reads the address of a list from a URL.
 *
 * @param query the query string, with or without its question mark
 */
export function listAddressIn(path: string, query: string): ListAddress {
  const parameters = new URLSearchParams(query)
  return {
    authorId: matchPath(pagePaths.author, path),
    search: parameters.get('q')?.trim() ?? '',
    order: orderOf(parameters.get('sort'), parameters.get('period')),
    cursor: parameters.get('cursor'),
  }
}

function orderOf(sort: string | null, period: string | null): ListOrder {
  return sort === 'top' ? (topPeriods.find((known) => known === period) ?? 'all') : 'new'
}

/** Path of a list, with its query string. */
export function listPath({ authorId, search, order, cursor }: ListAddress): string {
  const query = new URLSearchParams({
    ...(search && { q: search }),
    ...orderParameters(order),
    ...(cursor && { cursor }),
  }).toString()
  const path = authorId === null ? pagePaths.gallery : authorPath(authorId)
  return query ? `${path}?${query}` : path
}

/** Parameters of an order, in URLs as in the input of `posts.list`. */
export function orderParameters(order: ListOrder): { sort?: PostSort; period?: TopPeriod } {
  if (order === 'new') return {}
  return { sort: 'top', ...(order !== 'all' && { period: order }) }
}

/** Creates the input of `posts.list` for the posts of a list, without its page. */
export function listInput({ authorId, search, order }: ListAddress) {
  return {
    ...(search && { search }),
    ...(authorId !== null && { authorId }),
    ...orderParameters(order),
    // The most liked end where likes end; a search for one of them finds all.
    ...(order !== 'new' && search === '' && { isLiked: true as const }),
  }
}
