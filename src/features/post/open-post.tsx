import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { postPath } from '../../../shared/routes.ts'
import type * as Overlay from './post-overlay.tsx'

/** A post to open, and the list to move in. */
export interface PostToOpen {
  readonly post: Post
  /** The posts of the list as they are now, which may load more. */
  readonly posts: () => readonly Post[]
}

/** Loads the dialog that shows a post. */
export const loadPostOverlay = () => import('./post-overlay.tsx')

const OpenPostContext = createContext<((target: PostToOpen) => Promise<void>) | null>(null)

/** Provides the dialog that shows a post over the page. */
export function PostOverlayProvider({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<typeof Overlay | null>(null)
  const open = useCallback(async (target: PostToOpen) => {
    try {
      const loaded = await loadPostOverlay()
      setOverlay(loaded)
      loaded.openPost(target)
    } catch {
      // The module could not be loaded.
      location.assign(postPath(target.post.id))
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
export function useOpenPost(posts: readonly Post[]): (event: MouseEvent, post: Post) => void {
  const open = useContext(OpenPostContext)
  const latest = useRef(posts)
  useEffect(() => {
    latest.current = posts
  }, [posts])
  return useCallback(
    (event, post) => {
      if (!open || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      void open({ post, posts: () => latest.current })
    },
    [open],
  )
}
