import type { QueryClient } from '@tanstack/react-query'
import type { PageData, RelatedPosts } from '../../shared/page-data.ts'
import type { PostDetails } from '../../shared/posts.ts'

/** Key of a post as a user sees it; of every visitor without a user. */
export function postKey(id: string, viewerId: string | null) {
  return ['post', id, viewerId] as const
}

/** Key of the posts that are shown with a post. */
export function relatedKey(id: string) {
  return ['related-posts', id] as const
}

/** Caches the posts that are shown with a post. */
export function cacheRelatedPosts(
  queryClient: QueryClient,
  { details, parent, remixes, moreByAuthor }: NonNullable<PageData['post']>,
): void {
  queryClient.setQueryData<RelatedPosts>(relatedKey(details.id), { parent, remixes, moreByAuthor })
}

/** Caches a post as every visitor sees it; null if there is none to see. */
export function cachePost(queryClient: QueryClient, id: string, details: PostDetails | null): void {
  queryClient.setQueryData<PostDetails | null>(postKey(id, null), details)
}

/** Returns the cached post as every visitor sees it, if any. */
export function cachedPost(queryClient: QueryClient, id: string): PostDetails | null | undefined {
  return queryClient.getQueryData<PostDetails | null>(postKey(id, null))
}
