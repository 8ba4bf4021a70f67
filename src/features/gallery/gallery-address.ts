import { useCallback } from 'react'
import { useLocation, useRouter } from 'wouter'

/** The part of the gallery that a URL names. */
export interface GalleryAddress {
  /** Search term; '' without a search. */
  readonly search: string
  /** Start of the first page; null at the newest post. */
  readonly cursor: string | null
}

/** The gallery address of the current URL. */
export function useGalleryAddress(): GalleryAddress {
  const router = useRouter()
  const query = router.searchHook(router)
  return { search: termIn(query), cursor: cursorIn(query) }
}

/** The search term of the current URL and its setter. An empty term shows the whole gallery. */
export function useSearchTerm(): readonly [term: string, search: (term: string) => void] {
  const router = useRouter()
  // Not wouter's useSearch, which decodes a term like "50%25" twice.
  const current = termIn(router.searchHook(router))
  const [, navigate] = useLocation()
  const search = useCallback(
    (next: string) => {
      const term = next.trim()
      if (term === current) return
      // Refining a search replaces its history entry, so that Back leaves the search.
      navigate(galleryPath(term), { replace: current !== '' && term !== '' })
    },
    [current, navigate],
  )
  return [current, search]
}

/** Path of the gallery with a search term and a start cursor. */
export function galleryPath(term: string, cursor: string | null = null): string {
  const query = new URLSearchParams({ ...(term && { q: term }), ...(cursor && { cursor }) }).toString()
  return query ? `/?${query}` : '/'
}

/** Reads the search term of a query string, with or without its question mark. */
export function termIn(query: string): string {
  return new URLSearchParams(query).get('q')?.trim() ?? ''
}

/** Reads the cursor of a query string, with or without its question mark. */
export function cursorIn(query: string): string | null {
  return new URLSearchParams(query).get('cursor')
}
