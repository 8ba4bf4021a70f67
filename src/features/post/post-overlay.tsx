import { useLingui } from '@lingui/react/macro'
import { useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { matchPath, pagePaths, postPath } from '../../../shared/routes.ts'
import { useTitle } from '../../api/use-title.ts'
import { goBack } from '../../browser/dialog-history.ts'
import { afterTraversal, coveredPage, pageLocation, pushOverPage } from '../../browser/page-history.ts'
import { ViewerDialog } from '../../images/image-viewer.tsx'
import { announce } from '../../ui/announcer.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import type { PostList, PostToOpen } from './open-post.tsx'
import { alternativeText, postTitle } from './post-texts.ts'
import { parentOf, PostSide, usePost, useRelatedPosts } from './post-view.tsx'

/** Name of the image in view transitions. */
const transitionName = 'shown-image'

let listed: () => PostList = () => ({ posts: [] })
let openedId: string | null = null
/** Id of the post that is shown, which follows the address after the snapshot of a view transition. */
let shownId: string | null = null
let page = pageLocation()
/** True from the request to close until the address has changed. */
let isClosing = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function idInAddress(): string | null {
  return coveredPage() && matchPath(pagePaths.post, location.pathname)
}

/** Shows the post of the address, or none. */
function update(): void {
  page = pageLocation()
  shownId = idInAddress()
  isClosing = false
  refreshList()
}

/** Renders again with the list as it is now. */
export function refreshList(): void {
  for (const listener of listeners) listener()
}

/** Opens a post over the page. */
export function openPost(target: PostToOpen): void {
  listed = target.list
  openedId = target.post.id
  // A double click adds one history entry.
  afterTraversal(() =>
    transition(target.post.id, () => shownId === null && pushOverPage(postPath(target.post.id))),
  )
}

/** Goes back to the page, once: a second Back would leave it. */
function close(): void {
  if (isClosing) return
  isClosing = true
  goBack()
}

for (const event of ['pushState', 'replaceState']) addEventListener(event, update)

// Captured, so that it is called before the listeners of the router where the browser calls these first.
addEventListener(
  'popstate',
  (event) => {
    const next = pageLocation()
    const id = shownId ?? idInAddress()
    if (next.path !== page.path || next.search !== page.search || id === null) return update()
    event.stopImmediatePropagation()
    transition(id, update, event.hasUAVisualTransition)
  },
  true,
)

/** Changes the page so that the image of a post moves between its card and the dialog, if browser and user support it. */
function transition(id: string, change: () => unknown, isSkipped = false): void {
  const isOpening = shownId === null
  function apply() {
    flushSync(change)
    if (!isOpening && shownId === null) focusCard(id)
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
  const target = isInViewport(card) ? card : (opened ?? document.querySelector<HTMLElement>('main h1'))
  target?.focus({ preventScroll: true })
}

/** The dialog with the post of the address, over the page. Escape and Back close it, arrow keys move in the list. */
export function PostOverlay() {
  const id = useSyncExternalStore(subscribe, () => shownId)
  return id !== null && <OpenedPost id={id} />
}

function OpenedPost({ id }: { id: string }) {
  const { i18n, t } = useLingui()
  const list = useSyncExternalStore(subscribe, listed)
  // The list may have dropped a post that was in it.
  const [opened] = useState(list)
  const { data: details } = usePost(id)
  const known = [...list.posts, ...opened.posts].find((candidate) => candidate.id === id)
  const post = details === null ? null : (details ?? known)
  const related = useRelatedPosts(details ?? null)
  useTitle(post && postTitle(post, i18n))
  const index = list.posts.findIndex((candidate) => candidate.id === id)
  const isListed = index !== -1

  function show(next: string) {
    history.replaceState(history.state, '', postPath(next))
    const shown = list.posts.find((candidate) => candidate.id === next)
    if (shown) announce(postTitle(shown, i18n))
  }

  return (
    <ViewerDialog
      open
      images={isListed ? list.posts : post ? [post] : []}
      shownId={id}
      onShow={show}
      text={post ? alternativeText(post, i18n) : ''}
      position={isListed ? (list.first ?? 0) + index + 1 : 1}
      total={isListed ? list.total : 1}
      others={post ? parentOf(post, related, i18n) : []}
      onNearEnd={list.loadMore}
      labels={{ previous: t`Previous post`, next: t`Next post` }}
      panel={
        post ? (
          <PostSide key={id} post={post} details={details ?? null} onDeleted={close} />
        ) : (
          post === null && <NotFoundPage />
        )
      }
      onClose={close}
      finalFocus={false}
    />
  )
}
