import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Post } from '../../../shared/posts.ts'
import { matchPath, pagePaths, postPath } from '../../../shared/routes.ts'
import { removePosts } from '../../api/post-changes.ts'
import { useTitle } from '../../api/use-title.ts'
import { pageHeading } from '../../browser/apis.ts'
import {
  afterTraversal,
  animateCover,
  coverPage,
  shownCover,
  uncoverPage,
  useCover,
} from '../../browser/page-history.ts'
import { ImageViewer } from '../../images/image-viewer.tsx'
import { announce } from '../../ui/announcer.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { watchLists, type PostList } from './open-post.ts'
import { alternativeText, postTitle } from './post-texts.ts'
import { remixLineOf, PostSide, usePost, useRelatedPosts } from './post-view.tsx'

const transitionName = 'shown-image'

const noList: PostList = { posts: [] }
let listed = () => noList
let openedId: string | null = null

/** Opens a post over the page. @param list returns the list that it is in, as it is now */
export function openPost({ id }: Post, list: () => PostList): void {
  listed = list
  openedId = id
  // A double click adds one history entry.
  afterTraversal(() => transition(id, () => shownCover() === null && coverPage(postPath(id))))
}

animateCover((show, event) => {
  const id = matchPath(pagePaths.post, shownCover() ?? location.pathname) ?? ''
  transition(id, show, event.hasUAVisualTransition)
})

/** Changes the page so that the image of a post moves between its card and the dialog, if browser and user support it. */
function transition(id: string, change: () => unknown, isSkipped = false): void {
  const isOpening = shownCover() === null
  function apply() {
    flushSync(change)
    if (!isOpening && shownCover() === null) focusCard(id)
  }
  if (isSkipped || prefersNoMotion() || !('startViewTransition' in document)) return apply()
  const nameImage = (name: string) => {
    const image = linkTo(id)?.querySelector('img')
    if (image) image.style.viewTransitionName = name
  }
  if (isOpening) nameImage(transitionName)
  const { ready, finished } = document.startViewTransition(() => {
    nameImage('')
    apply()
    if (!isOpening && isInViewport(linkTo(id))) nameImage(transitionName)
  })
  // Rejected if another transition starts, or the page is not visible.
  ready.catch(() => {})
  void finished.then(() => nameImage(''))
}

/** High contrast has no motion either, like the tokens. */
function prefersNoMotion(): boolean {
  return (
    matchMedia('(prefers-reduced-motion: reduce)').matches ||
    document.documentElement.dataset['theme'] === 'hc'
  )
}

/** The link of a post's card on the page. */
function linkTo(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main a[href="${postPath(id)}"]`)
}

function isInViewport(element: HTMLElement | null): boolean {
  if (!element) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

/** Focuses the card of the post that was shown, or the one that was opened if that is elsewhere, without scrolling. */
function focusCard(id: string): void {
  const card = linkTo(id)
  const opened = openedId === null ? null : linkTo(openedId)
  const target = isInViewport(card) ? card : (opened ?? pageHeading())
  target?.focus({ preventScroll: true })
}

/** The dialog with the post of the address, over the page. Escape and Back close it, arrow keys move in the list. */
export function PostOverlay() {
  const id = matchPath(pagePaths.post, useCover() ?? '')
  return id !== null && <OpenedPost id={id} />
}

function OpenedPost({ id }: { id: string }) {
  const { i18n, t } = useLingui()
  const list = useSyncExternalStore(watchLists, listed)
  // The list may have dropped a post that was in it.
  const [opened] = useState(list)
  const { data: details, isPlaceholderData } = usePost(id)
  const known = [...list.posts, ...opened.posts].find((candidate) => candidate.id === id)
  const post = details === null ? null : (details ?? known)
  const related = useRelatedPosts(details ?? null)
  useTitle(post && postTitle(post, i18n))
  const queryClient = useQueryClient()
  useEffect(() => {
    // Visitors may not see a post that the viewer does.
    if (details === null && !isPlaceholderData) removePosts(queryClient, (one) => one.id === id)
  }, [queryClient, details, isPlaceholderData, id])
  const index = list.posts.findIndex((candidate) => candidate.id === id)
  const isListed = index !== -1

  function show(next: string) {
    history.replaceState(history.state, '', postPath(next))
    const shown = list.posts.find((candidate) => candidate.id === next)
    if (shown) announce(postTitle(shown, i18n))
  }

  return (
    <ImageViewer
      images={isListed ? list.posts : post ? [post] : []}
      shownId={id}
      onShow={show}
      text={post ? alternativeText(post, i18n) : ''}
      position={isListed ? (list.first ?? 0) + index + 1 : 1}
      total={isListed ? list.total : 1}
      others={post ? remixLineOf(post, related, i18n) : []}
      onNearEnd={list.loadMore}
      labels={{ previous: t`Previous post`, next: t`Next post` }}
      panel={
        post ? (
          <PostSide key={id} post={post} details={details ?? null} onDeleted={uncoverPage} />
        ) : (
          post === null && <NotFoundPage />
        )
      }
      onLeave={uncoverPage}
    />
  )
}
