import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PageData } from '../../shared/page-data.ts'
import type { createApiClient } from './client.ts'
import { PageDataProvider } from './site.tsx'
import { trpc } from './trpc.ts'

/** Provides the API client, the query cache and the site's settings. */
export function ApiProviders(props: {
  client: ReturnType<typeof createApiClient>
  queryClient: QueryClient
  data: PageData
  children: ReactNode
}) {
  return (
    <trpc.Provider client={props.client} queryClient={props.queryClient}>
      <QueryClientProvider client={props.queryClient}>
        <PageDataProvider data={props.data}>{props.children}</PageDataProvider>
      </QueryClientProvider>
    </trpc.Provider>
  )
}
