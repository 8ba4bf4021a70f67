import { useEffect, type MouseEvent } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { postPath } from '../../../shared/routes.ts'
import { hasModifier } from '../../browser/apis.ts'
import { useStable } from '../../browser/use-stable.ts'
import { lazyPart } from '../../ui/loading.tsx'

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

const loadOverlay = () => import('./post-overlay.tsx')

export const PostOverlay = lazyPart(async () => (await loadOverlay()).PostOverlay)

async function open(post: Post, list: () => PostList): Promise<void> {
  try {
    await PostOverlay.load()
    const { openPost } = await loadOverlay()
    openPost(post, list)
  } catch {
    // The module could not be loaded.
    location.assign(postPath(post.id))
  }
}

const listeners = new Set<() => void>()

/** Calls a listener whenever a list may have changed. Returns a function that ends it. */
export function watchLists(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Returns a click handler of links to posts, which opens a post over the list that it is in. Clicks with a modifier key stay
 * the browser's. The handler is the same in every render.
 */
export function useOpenPost(list: PostList): (event: MouseEvent, post: Post) => void {
  const latest = useStable(() => list)
  useEffect(() => {
    for (const listener of listeners) listener()
  })
  return useStable((event, post) => {
    if (event.button !== 0 || hasModifier(event) || event.shiftKey) return
    event.preventDefault()
    void open(post, latest)
  })
}
