import { useMemo, useState, type ReactNode } from 'react'
import { postPath } from '../../../shared/routes.ts'
import { OpenPostContext, type PostToOpen } from './open-post.ts'
import type * as Overlay from './post-overlay.tsx'

export const loadPostOverlay = () => import('./post-overlay.tsx')

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
