import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { PageData, SiteSettings } from '../../shared/page-data.ts'
import type { createApiClient } from './client.ts'
import { trpc } from './trpc.ts'

const PageDataContext = createContext<PageData | null>(null)

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
        <PageDataContext value={props.data}>{props.children}</PageDataContext>
      </QueryClientProvider>
    </trpc.Provider>
  )
}

/** Returns the data of the document that the browser has loaded, which may be that of another page. */
export function usePageData(): PageData {
  const data = useContext(PageDataContext)
  if (!data) throw new Error('usePageData must be used within ApiProviders')
  return data
}

/** Returns the site's public settings. */
export function useSite(): SiteSettings {
  return usePageData().site
}
