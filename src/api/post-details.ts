import type { QueryClient } from '@tanstack/react-query'
import type { RelatedPosts } from '../../shared/page-data.ts'
import type { Post, PostDetails, PostPage } from '../../shared/posts.ts'
import { bypassHttpCache } from './client.ts'
import { nullIfMissing } from './missing.ts'
import { pageKeys } from './page-data.ts'
import { changeRelatedPosts } from './post-changes.ts'
import { postsKey } from './post-lists.ts'
import type { Api } from './trpc.ts'

/** Query of a post; null if it does not exist or the viewer must not see it. */
export function postQuery(api: Api, id: string, viewerId: string | null) {
  return {
    queryKey: pageKeys.post(id, viewerId),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<PostDetails | null> =>
      nullIfMissing(api.client.posts.get.query({ id }, { signal })),
  }
}

/** Number of posts in each list of related posts. */
const relatedPosts = 8

/** Number of similar posts: whole rows of two, three and four. */
const firstSimilar = 12

export async function readRelatedPosts(
  posts: {
    readonly get: (input: { id: string }) => Promise<Post>
    readonly similar: (input: { id: string; limit: number }) => Promise<{ posts: readonly Post[] }>
    readonly list: (input: { remixOf?: string; authorId?: string; limit: number }) => Promise<PostPage>
  },
  { id, authorId, parent, remixCount, hidden }: PostDetails,
): Promise<RelatedPosts> {
  const [parentPost, remixes, byAuthor, others] = await Promise.all([
    parent === null ? null : posts.get({ id: parent }),
    remixCount === 0 ? null : posts.list({ remixOf: id, limit: relatedPosts }),
    posts.list({ authorId, limit: relatedPosts + 1 }),
    hidden ? null : posts.similar({ id, limit: firstSimilar }),
  ])
  return {
    parent: parentPost,
    remixes: remixes?.posts ?? [],
    moreByAuthor: byAuthor.posts.filter((post) => post.id !== id).slice(0, relatedPosts),
    similar: others?.posts ?? [],
  }
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
    pageKeys.post(id, viewerId),
    (post) => post && { ...post, ...change },
  )
  if (likeCount === undefined) return
  queryClient.setQueryData<PostDetails | null>(
    pageKeys.post(id, null),
    (post) => post && { ...post, likeCount },
  )
  bypassHttpCache()
  const liked = (post: Post) => (post.id === id ? { ...post, likeCount } : post)
  queryClient.setQueriesData<PostPage>(
    { queryKey: [postsKey] },
    (page) => page && { ...page, posts: page.posts.map(liked) },
  )
  changeRelatedPosts(queryClient, (post) => [liked(post)])
}
