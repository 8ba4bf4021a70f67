import { imageShapes } from '../../shared/image-files.ts'
import type { ListAddress, ListOrder } from '../../shared/page-data.ts'
import { topPeriods, type PostSort, type TopPeriod } from '../../shared/posts.ts'
import { authorPath, collectionPath, matchPath, pagePaths } from '../../shared/routes.ts'

/** The gallery of all posts. */
export const galleryAddress: ListAddress = {
  authorId: null,
  collectionId: null,
  search: '',
  order: 'new',
  cursor: null,
  shape: null,
  engine: null,
}

/**
 * Reads the address of a list from a URL.
 *
 * @param query the query string, with or without its question mark
 */
export function listAddressIn(path: string, query: string): ListAddress {
  const parameters = new URLSearchParams(query)
  return {
    authorId: matchPath(pagePaths.author, path),
    collectionId: matchPath(pagePaths.collection, path),
    search: parameters.get('q')?.trim() ?? '',
    order: orderOf(parameters.get('sort'), parameters.get('period')),
    cursor: parameters.get('cursor'),
    shape: imageShapes.find((shape) => shape === parameters.get('shape')) ?? null,
    engine: parameters.get('engine'),
  }
}

function orderOf(sort: string | null, period: string | null): ListOrder {
  return sort === 'top' ? (topPeriods.find((known) => known === period) ?? 'all') : 'new'
}

/** Path of a list, with its query string. */
export function listPath(address: ListAddress): string {
  const { authorId, collectionId, search, cursor } = address
  const query = new URLSearchParams({
    ...(search && { q: search }),
    ...listParameters(address),
    ...(cursor && { cursor }),
  }).toString()
  const path =
    collectionId !== null
      ? collectionPath(collectionId)
      : authorId === null
        ? pagePaths.gallery
        : authorPath(authorId)
  return query ? `${path}?${query}` : path
}

/** Parameters of a list but for its search and page, in URLs as in the input of `posts.list`. */
export function listParameters({ order, shape, engine }: ListAddress) {
  return { ...orderParameters(order), ...(shape && { shape }), ...(engine && { engine }) }
}

function orderParameters(order: ListOrder): { sort?: PostSort; period?: TopPeriod } {
  if (order === 'new') return {}
  return { sort: 'top', ...(order !== 'all' && { period: order }) }
}

/** Creates the input of `posts.list` for the posts of a list, without its page. */
export function listInput(address: ListAddress) {
  const { authorId, collectionId, search, order } = address
  // The order of a collection is its own; most liked first where a theme has ended.
  if (collectionId !== null) return { collectionId, ...(order !== 'new' && { sort: 'top' as const }) }
  return {
    ...(search && { search }),
    ...(authorId !== null && { authorId }),
    ...listParameters(address),
    // The most liked end where likes end; a search for one of them finds all.
    ...(order !== 'new' && search === '' && { isLiked: true as const }),
  }
}
