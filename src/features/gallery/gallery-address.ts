import { useCallback } from 'react'
import { useLocation, useRouter } from 'wouter'
import { listAddressIn, listPath } from '../../api/list-address.ts'
import type { ListAddress } from '../../../shared/page-data.ts'

/** The list of posts of the current URL. */
export function useListAddress(): ListAddress {
  const router = useRouter()
  const [path] = useLocation()
  // Not wouter's useSearch, which decodes a term like "50%25" twice.
  return listAddressIn(path, router.searchHook(router))
}

/** Returns a function that searches the list of the current URL. An empty term shows the whole list. */
export function useSearch(): (term: string) => void {
  const { search: current, ...list } = useListAddress()
  const [, navigate] = useLocation()
  const { authorId, order } = list
  return useCallback(
    (next: string) => {
      const search = next.trim()
      if (search === current) return
      // Refining a search replaces its history entry, so that Back leaves the search.
      navigate(listPath({ authorId, order, search, cursor: null }), {
        replace: current !== '' && search !== '',
      })
    },
    [current, authorId, order, navigate],
  )
}
