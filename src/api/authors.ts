import type { QueryClient } from '@tanstack/react-query'
import type { Author } from '../../shared/posts.ts'
import { nullIfMissing } from './failure.ts'
import type { Api } from './trpc.ts'

function authorKey(authorId: string) {
  return ['author', authorId] as const
}

/** Query of an author; null for one without posts in the gallery. */
export function authorQuery(api: Api, authorId: string) {
  return {
    queryKey: authorKey(authorId),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<Author | null> =>
      nullIfMissing(api.client.posts.author.query({ authorId }, { signal })),
  }
}

/** Caches an author; null for one without posts in the gallery. */
export function cacheAuthor(queryClient: QueryClient, authorId: string, author: Author | null): void {
  queryClient.setQueryData<Author | null>(authorKey(authorId), author)
}
