import { useEffect, useRef } from 'react'
import { useRouter } from 'wouter'
import { useSite } from '../api/site.tsx'
import { describePage } from './page-meta.ts'
import type { PageName } from './page-meta.ts'

/** Does what a browser does when a document is loaded: changes the title, and starts reading at the top. */
export function usePageChange(page: PageName): void {
  const router = useRouter()
  const { title } = describePage(page, router.searchHook(router), useSite())
  useEffect(() => {
    document.title = title
  }, [title])

  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    // The heading, so that screen readers say where one is now.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [page])
}
