import { QueryCache, QueryClient } from '@tanstack/react-query'
import { describeFailure } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What `window.alert` says when the first load gets no answer from the server at all. */
      readonly alertWhenUnreachable?: string
    }
  }
}

/** How long an answer counts as current, in milliseconds. */
const freshFor = 30_000

/** Caches the server's answers; one for each page in the browser, one for each rendering on the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        const sentence = query.meta?.alertWhenUnreachable
        const isFirstLoad = query.state.data === undefined
        if (sentence && isFirstLoad && describeFailure(error).kind === 'unreachable') window.alert(sentence)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: freshFor,
        // Offline is an answer too: without this, a query would wait in silence for the network to return.
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && describeFailure(error).mayPass,
        retryDelay: 400,
        // A load that failed is retried by the user, who would otherwise be alerted on each return to the tab.
        refetchOnWindowFocus: (query) => query.state.data !== undefined,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
