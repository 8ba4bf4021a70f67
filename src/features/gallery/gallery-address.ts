import { useCallback } from 'react'
import { useLocation, useRouter } from 'wouter'

/** What is looked for, and where its first page begins: null at the newest post. */
export interface GalleryAddress {
  readonly search: string
  readonly cursor: string | null
}

/** The gallery that the address names. */
export function useGalleryAddress(): GalleryAddress {
  const router = useRouter()
  const query = router.searchHook(router)
  return { search: termIn(query), cursor: cursorIn(query) }
}

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
      navigate(galleryPath(term), { replace: current !== '' && term !== '' })
    },
    [current, navigate],
  )
  return [current, search]
}

/** The path of the gallery, searched for a term, from a cursor on. */
export function galleryPath(term: string, cursor: string | null = null): string {
  const query = new URLSearchParams({ ...(term && { q: term }), ...(cursor && { cursor }) }).toString()
  return query ? `/?${query}` : '/'
}

/** The term in a query string, with or without its question mark. */
export function termIn(query: string): string {
  return new URLSearchParams(query).get('q')?.trim() ?? ''
}

/** The cursor in a query string, with or without its question mark. */
export function cursorIn(query: string): string | null {
  return new URLSearchParams(query).get('cursor')
}
