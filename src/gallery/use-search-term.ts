import { useCallback } from 'react'
import { useLocation, useRouter } from 'wouter'

/** The search term in the address, and how to change it. An empty term is the whole gallery. */
export function useSearchTerm(): readonly [term: string, search: (term: string) => void] {
  const router = useRouter()
  // The address as it stands: wouter's own useSearch decodes it once too often for a term like "50%25".
  const current = termIn(router.searchHook(router))
  const [, navigate] = useLocation()
  const search = useCallback(
    (next: string) => {
      const term = next.trim()
      if (term === current) return
      // Refining a search is one step of history, so that Back leaves it at once.
      navigate(galleryAddress(term), { replace: current !== '' && term !== '' })
    },
    [current, navigate],
  )
  return [current, search]
}

/** The address of the gallery, searched for `term`. */
export function galleryAddress(term: string): string {
  return term ? `/?${new URLSearchParams({ q: term }).toString()}` : '/'
}

/** The term in a query string, with or without its question mark. */
export function termIn(query: string): string {
  return new URLSearchParams(query).get('q')?.trim() ?? ''
}
