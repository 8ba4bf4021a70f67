import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { postPath } from '../../../shared/routes.ts'
import { hasModifier } from '../../browser/apis.ts'
import { useStable } from '../../browser/use-stable.ts'
import type * as Overlay from './post-overlay.tsx'

/** The list to move in. */
export interface PostList {
  /** Those that are loaded. */
  readonly posts: readonly Post[]
  /** Number of posts before the first of these, 0 by default. */
  readonly first?: number
  /** Number of all; absent if these are all. */
  readonly total?: number
  readonly loadMore?: () => void
}

export interface PostToOpen {
  readonly post: Post
  /** The list as it is now. */
  readonly list: () => PostList
}

export const loadPostOverlay = () => import('./post-overlay.tsx')

const OpenPostContext = createContext<{
  post: (target: PostToOpen) => Promise<void>
  refresh: () => void
} | null>(null)

/** Provides the dialog that shows a post over the page. */
export function PostOverlayProvider({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<typeof Overlay | null>(null)
  const open = useMemo(() => {
    return {
      async post(target: PostToOpen) {
        try {
          const loaded = await loadPostOverlay()
          setOverlay(loaded)
          loaded.openPost(target)
        } catch {
          // The module could not be loaded.
          location.assign(postPath(target.post.id))
        }
      },
      // A copy renders it again, with the list as it is now.
      refresh: () => setOverlay((known) => known && { ...known }),
    }
  }, [])
  return (
    <OpenPostContext value={open}>
      {children}
      {overlay && <overlay.PostOverlay />}
    </OpenPostContext>
  )
}

/**
 * Returns a click handler of links to posts, which opens a post over the list that it is in. Clicks with a modifier key stay
 * the browser's. The handler is the same in every render.
 */
export function useOpenPost(list: PostList): (event: MouseEvent, post: Post) => void {
  const open = useContext(OpenPostContext)
  const latest = useStable(() => list)
  useEffect(() => open?.refresh())
  return useStable((event, post) => {
    if (!open || event.button !== 0 || hasModifier(event) || event.shiftKey) return
    event.preventDefault()
    void open.post({ post, list: latest })
  })
}
