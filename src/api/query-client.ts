import {
  QueryCache,
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type QueryKey,
} from '@tanstack/react-query'
import { describeFailure } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Message for `window.alert` if the first load can't reach the server. */
      readonly alertWhenUnreachable?: string
    }
  }
}

/** Time for which cached data counts as fresh. */
const staleTimeMs = 30_000

/** Asks again also where the first answer is on its way, which may be from before the change; a `QueryClient` waits for it. */
class FreshQueryClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    void this.cancelQueries<Key>(
      {
        ...filters,
        predicate: (query) =>
          query.isActive() && query.state.data === undefined && (filters?.predicate?.(query) ?? true),
      },
      // Those who wait for the first answer get the second.
      { silent: true },
    )
    return super.invalidateQueries(filters, options)
  }
}

/** Creates a query cache: one per page in the browser, one per rendering on the server. */
export function createQueryClient(): QueryClient {
  return new FreshQueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        const message = query.meta?.alertWhenUnreachable
        const isFirstLoad = query.state.data === undefined
        if (message && isFirstLoad && describeFailure(error).kind === 'unreachable') window.alert(message)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: staleTimeMs,
        // Queries fail immediately while offline, instead of pausing until the network returns.
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && describeFailure(error).isRetryable,
        retryDelay: 400,
        // Users retry a failed first load themselves: refetching it on focus would alert them on each return to the tab.
        refetchOnWindowFocus: (query) => query.state.data !== undefined,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
