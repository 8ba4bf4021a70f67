import type { QueryClient } from '@tanstack/react-query'
import type { PostDetails } from '../../shared/posts.ts'
import { describeFailure } from './failure.ts'
import { updateListedPost } from './post-lists.ts'
import type { Api } from './trpc.ts'

/** Key of a post as a user sees it; of every visitor without a user. */
function postKey(id: string, viewerId: string | null) {
  return ['post', id, viewerId] as const
}

/** Query of a post; null if it does not exist or the viewer must not see it. */
export function postQuery(api: Api, id: string, viewerId: string | null) {
  return {
    queryKey: postKey(id, viewerId),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<PostDetails | null> => {
      try {
        return await api.client.posts.get.query({ id }, { signal })
      } catch (error) {
        const { reason } = describeFailure(error)
        if (reason === 'not_found' || reason === 'bad_input') return null
        throw error
      }
    },
  }
}

/** Caches a post as every visitor sees it; null if there is none to see. */
export function cachePost(queryClient: QueryClient, id: string, details: PostDetails | null): void {
  queryClient.setQueryData<PostDetails | null>(postKey(id, null), details)
}

/** Returns the cached post as every visitor sees it, if any. */
export function cachedPost(queryClient: QueryClient, id: string): PostDetails | null | undefined {
  return queryClient.getQueryData<PostDetails | null>(postKey(id, null))
}

/** Changes a post in every cache: as the viewer sees it, and, without what only the viewer sees, for others. */
export function updateCachedPost(
  queryClient: QueryClient,
  id: string,
  viewerId: string,
  change: Partial<PostDetails>,
): void {
  const { likeCount } = change
  queryClient.setQueryData<PostDetails | null>(
    postKey(id, viewerId),
    (post) => post && { ...post, ...change },
  )
  if (likeCount === undefined) return
  queryClient.setQueryData<PostDetails | null>(postKey(id, null), (post) => post && { ...post, likeCount })
  updateListedPost(queryClient, id, { likeCount })
}
