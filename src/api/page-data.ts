import type { Query, QueryClient } from '@tanstack/react-query'
import type { Collection } from '../../shared/collections.ts'
import type { PageData, RelatedPosts } from '../../shared/page-data.ts'
import type { PostDetails } from '../../shared/posts.ts'
import { collectionPath, matchPath, pagePaths } from '../../shared/routes.ts'
import { cacheFirstPage, newestKey, postsKey } from './post-lists.ts'

/** Keys of the queries whose data a document may contain, besides those of lists of posts. */
export const pageKeys = {
  announcements: ['announcements'],
  /** The most frequent words of posts. */
  words: ['words'],
  /** An author; null for one without posts in the gallery. */
  author: (authorId: string) => ['author', authorId] as const,
  /** A post as a user sees it; of every visitor without a user. Null if there is none to see. */
  post: (id: string, viewerId: string | null) => ['post', id, viewerId] as const,
  /** A post as all of them see it. */
  everyPost: (id: string) => ['post', id] as const,
  allPosts: ['post'] as const,
  /** A collection as a user sees it; of every visitor without a user. Null if there is none to see. */
  collection: (id: string, viewerId: string | null) => ['collection', id, viewerId] as const,
  /** All about collections. */
  collections: ['collection'] as const,
  collectionList: (search: string, cursor: string | null) => ['collection', 'list', search, cursor] as const,
  /** The posts that are shown with a post. */
  related: (postId: string) => ['related-posts', postId] as const,
  /** Those of all posts. */
  allRelated: ['related-posts'] as const,
} as const

/** Parses the page data that the server embedded in the document. */
export function readPageData(): PageData {
  const element = document.getElementById('page-data')
  if (!element) throw new Error('The document has no #page-data')
  return JSON.parse(element.textContent) as PageData
}

/** Caches the data of a page for the queries that it makes. */
export function cachePageData(
  queryClient: QueryClient,
  path: string,
  { gallery, author, collection, post, announcements, words }: PageData,
): void {
  queryClient.setQueryData(pageKeys.announcements, announcements)
  if (words) queryClient.setQueryData(pageKeys.words, words)
  if (gallery) cacheFirstPage(queryClient, gallery)
  const authorId = matchPath(pagePaths.author, path)
  if (authorId !== null) queryClient.setQueryData(pageKeys.author(authorId), author)
  const collectionId = matchPath(pagePaths.collection, path) ?? matchPath(pagePaths.wall, path)
  if (collectionId !== null) queryClient.setQueryData(pageKeys.collection(collectionId, null), collection)
  const postId = matchPath(pagePaths.post, path)
  if (postId !== null) {
    // A hidden post is not what visitors see: it is asked for again at once.
    const age = post?.details.hidden ? { updatedAt: 0 } : {}
    queryClient.setQueryData(pageKeys.post(postId, null), post && post.details, age)
  }
  if (!post) return
  const { details, ...related } = post
  queryClient.setQueryData<RelatedPosts>(pageKeys.related(details.id), related)
}

/** First parts of the keys of queries that are the same for all users, and of that of the session itself. */
const commonKeys = new Set<unknown>(['site', 'setup', 'viewer', 'announcements', 'words', 'author'])

/** Drops what the server has answered to a user. */
export function dropPrivateQueries(queryClient: QueryClient): void {
  // Not reset: it would have the first page of the list again, which was the user's.
  queryClient.removeQueries({ predicate: (query) => isPrivate(query) && query.queryKey[2] === newestKey })
  void queryClient.resetQueries({ predicate: isPrivate })
}

/** Checks whether a query may have been answered for one user. Lists of posts are public, but for those of collections. */
function isPrivate({ queryKey: [key, part, viewerId], state }: Query): boolean {
  if (key === postsKey) return String(part).startsWith(collectionPath(''))
  if ((key === 'post' || key === 'collection') && viewerId === null) return !isForVisitors(state.data)
  return !commonKeys.has(Array.isArray(key) ? key[0] : key)
}

/** Checks whether visitors see a post or collection that came with the document. */
function isForVisitors(data: unknown): boolean {
  const { visibility, hidden, isHidden } = (data ?? {}) as Partial<PostDetails & Collection>
  return visibility !== 'private' && !hidden && !isHidden
}
