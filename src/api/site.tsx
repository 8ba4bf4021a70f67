import { createContext, useContext, type ReactNode, useEffect } from 'react'
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

/** Sets the title of the document to that of what is shown, and restores it afterwards. Does nothing while it is unknown. */
export function useTitle(shown: string | null | undefined): void {
  const { name } = useSite()
  useEffect(() => {
    if (!shown) return
    const previous = document.title
    document.title = `${shown} — ${name}`
    return () => {
      document.title = previous
    }
  }, [shown, name])
}
