import { createContext, useContext } from 'react'
import type { PageData, SiteSettings } from '../../shared/page-data.ts'

/** The data of the document. */
export const PageDataContext = createContext<PageData | null>(null)

/** Returns the data of the document that the browser has loaded, which may be that of another page. */
export function usePageData(): PageData {
  const data = useContext(PageDataContext)
  if (!data) throw new Error('usePageData must be used within a PageDataContext')
  return data
}

export function useSite(): SiteSettings {
  return usePageData().site
}
