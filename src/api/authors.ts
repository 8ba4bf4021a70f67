import type { QueryClient } from '@tanstack/react-query'
import type { Author } from '../../shared/posts.ts'
import { describeFailure } from './failure.ts'
import type { Api } from './trpc.ts'

function authorKey(authorId: string) {
  return ['author', authorId] as const
}

/** Query of an author; null for one without posts in the gallery. */
export function authorQuery(api: Api, authorId: string) {
  return {
    queryKey: authorKey(authorId),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Author | null> => {
      try {
        return await api.client.posts.author.query({ authorId }, { signal })
      } catch (error) {
        const { reason } = describeFailure(error)
        if (reason === 'not_found' || reason === 'bad_input') return null
        throw error
      }
    },
  }
}

/** Caches an author; null for one without posts in the gallery. */
export function cacheAuthor(queryClient: QueryClient, authorId: string, author: Author | null): void {
  queryClient.setQueryData<Author | null>(authorKey(authorId), author)
}
