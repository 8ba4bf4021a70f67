import { createContext, useContext, type ReactNode } from 'react'
import type { PageData, SiteSettings } from '../../shared/page-data.ts'

const PageDataContext = createContext<PageData | null>(null)

/** Provides the data of the document. */
export function PageDataProvider({ data, children }: { data: PageData; children: ReactNode }) {
  return <PageDataContext value={data}>{children}</PageDataContext>
}

/** Returns the data of the document that the browser has loaded, which may be that of another page. */
export function usePageData(): PageData {
  const data = useContext(PageDataContext)
  if (!data) throw new Error('usePageData must be used within a PageDataProvider')
  return data
}

/** Returns the site's public settings. */
export function useSite(): SiteSettings {
  return usePageData().site
}
