import { createContext, useContext, useEffect, type MouseEvent } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { hasModifier } from '../../browser/apis.ts'
import { useStable } from '../../browser/use-stable.ts'

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

export const OpenPostContext = createContext<{
  post: (target: PostToOpen) => Promise<void>
  refresh: () => void
} | null>(null)

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
