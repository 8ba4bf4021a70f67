import type { QueryClient } from '@tanstack/react-query'
import type { PageData } from '../../shared/page-data.ts'
import { matchPath, pagePaths } from '../../shared/routes.ts'
import { cacheAnnouncements } from './announcements.ts'
import { cacheAuthor } from './authors.ts'
import { cachePost, cacheRelatedPosts } from './post-cache.ts'
import { cacheFirstPage } from './post-lists.ts'

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
  { gallery, author, post, announcements }: PageData,
): void {
  cacheAnnouncements(queryClient, announcements)
  if (gallery) cacheFirstPage(queryClient, gallery)
  const authorId = matchPath(pagePaths.author, path)
  if (authorId !== null) cacheAuthor(queryClient, authorId, author)
  const postId = matchPath(pagePaths.post, path)
  if (postId !== null) cachePost(queryClient, postId, post && post.details)
  if (post) cacheRelatedPosts(queryClient, post)
}
