import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../api/trpc.ts'
import { tokenFailure } from './token-failure.ts'

/** The tokens of the user signed in. */
export function useTokens(viewerId: string) {
  const { client } = trpc.useUtils()
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['tokens', viewerId],
    queryFn: () => client.account.tokens.list.query(),
    // Nothing of it outlives the page that shows it.
    gcTime: 0,
  })
  return {
    /** Null until they are known. */
    tokens: data ?? null,
    /** When they were, in milliseconds since 1970. */
    asOf: dataUpdatedAt,
    failure: error && tokenFailure(error),
    reload: async () => {
      await refetch()
    },
  }
}
