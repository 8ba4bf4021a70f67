import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { lazyPages } from './app.tsx'
import { listAddressIn } from './api/list-address.ts'
import { postsQuery } from './api/post-lists.ts'
import { trpc } from './api/trpc.ts'
import { useWindowEvent } from './browser/use-window-event.ts'
import { PostOverlay } from './features/post/open-post.ts'
import { pageAt } from './routes.ts'

/** A touch begins with `pointerover`, too. */
const events = ['pointerover', 'focusin'] as const

/** Loads the page that a link leads to once a pointer, a finger or the focus is on the link, so that a click shows it at once. Loaded after hydration. */
export function Prefetch(): null {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const current = useRef<Element>(null)
  useWindowEvent(events, ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link === current.current) return
    current.current = link
    if (!link || link.origin !== location.origin) return
    const page = pageAt(link.pathname)
    if (page === 'notFound') return
    const loading = [page !== 'gallery' && lazyPages[page].load(), page === 'post' && PostOverlay.load()]
    // The page itself loads it again, and shows if that fails, too.
    for (const part of loading) if (part) part.catch(() => {})
    if (page !== 'gallery' && page !== 'author') return
    const list = listAddressIn(link.pathname, link.search)
    void queryClient.prefetchQuery(postsQuery(api, list, list.cursor, null))
  })
  return null
}
