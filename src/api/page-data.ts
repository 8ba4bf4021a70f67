import { skipToken, useQuery, type QueryClient } from '@tanstack/react-query'
import type { Announcement } from '../../shared/announcements.ts'
import type { PageData, RelatedPosts } from '../../shared/page-data.ts'
import type { Author, PostDetails } from '../../shared/posts.ts'
import { matchPath, pagePaths } from '../../shared/routes.ts'
import { describeFailure } from './failure.ts'
import { cacheFirstPage } from './post-lists.ts'
import type { Api } from './trpc.ts'

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
  if (authorId !== null) queryClient.setQueryData<Author | null>(authorKey(authorId), author)
  const postId = matchPath(pagePaths.post, path)
  if (postId !== null) {
    queryClient.setQueryData<PostDetails | null>(postKey(postId, null), post && post.details)
  }
  if (!post) return
  const { details, parent, remixes, moreByAuthor } = post
  queryClient.setQueryData<RelatedPosts>(relatedKey(details.id), { parent, remixes, moreByAuthor })
}

const announcementsKey = ['announcements'] as const

/** Caches the announcements that the page shows. */
export function cacheAnnouncements(queryClient: QueryClient, announcements: readonly Announcement[]): void {
  queryClient.setQueryData<readonly Announcement[]>(announcementsKey, announcements)
}

/** The announcements that the page shows: those of the document, until an administrator changes them on this page. */
export function useAnnouncements(): readonly Announcement[] {
  const { data = [] } = useQuery<readonly Announcement[]>({
    queryKey: announcementsKey,
    queryFn: skipToken,
    staleTime: Infinity,
  })
  return data
}

function authorKey(authorId: string) {
  return ['author', authorId] as const
}

/** Query of an author; null for one without posts in the gallery. */
export function authorQuery(api: Api, authorId: string) {
  return {
    queryKey: authorKey(authorId),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      nullIfMissing(api.client.posts.author.query({ authorId }, { signal })),
  }
}

/** Returns the result of a query; null if what it names does not exist, or cannot exist. */
export async function nullIfMissing<Result>(query: Promise<Result>): Promise<Result | null> {
  try {
    return await query
  } catch (error) {
    const { reason } = describeFailure(error)
    if (reason === 'not_found' || reason === 'bad_input') return null
    throw error
  }
}

/** Key of a post as a user sees it; of every visitor without a user. */
export function postKey(id: string, viewerId: string | null) {
  return ['post', id, viewerId] as const
}

/** Key of the posts that are shown with a post. */
export function relatedKey(id: string) {
  return ['related-posts', id] as const
}

/** Returns the cached post as every visitor sees it, if any. */
export function cachedPost(queryClient: QueryClient, id: string): PostDetails | null | undefined {
  return queryClient.getQueryData<PostDetails | null>(postKey(id, null))
}
