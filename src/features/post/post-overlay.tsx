import { useLingui } from '@lingui/react/macro'
import { Dialog } from '@base-ui/react/dialog'
import { useLayoutEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Post } from '../../../shared/posts.ts'
import { matchPath, pagePaths, postPath } from '../../../shared/routes.ts'
import { arrowStep } from '../../browser/apis.ts'
import { afterTraversal, coveredPage, pageLocation, pushOverPage } from '../../browser/page-history.ts'
import { goBack } from '../../browser/dialog-history.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { CloseIcon, UnfoldIcon } from '../../ui/icons.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import type { PostToOpen } from './open-post.tsx'
import styles from './post-overlay.module.css'
import { postTitle } from './post-texts.ts'
import { PostView, usePost, usePostTitle } from './post-view.tsx'

/** Name of the image in view transitions. */
const transitionName = 'post-image'

let posts: () => readonly Post[] = () => []
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
  for (const listener of listeners) listener()
}

/** Opens a post over the page. */
export function openPost(target: PostToOpen): void {
  posts = target.posts
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
  // The list may have dropped a post that was in it.
  const [listed] = useState(posts)
  const { data: details } = usePost(id)
  const known = [...posts(), ...listed].find((candidate) => candidate.id === id)
  const post = details === null ? null : (details ?? known)
  const popup = useRef<HTMLDivElement>(null)
  const announce = useAnnounce()
  usePostTitle(post)
  useScrollLock()

  function neighbor(offset: 1 | -1): Post | undefined {
    const list = posts()
    const index = list.findIndex((candidate) => candidate.id === id)
    return index === -1 ? undefined : list[index + offset]
  }

  function move(offset: 1 | -1) {
    const next = neighbor(offset)
    if (!next) return
    // An element of this post is removed, and the focus with it.
    if (popup.current?.querySelector('article')?.contains(document.activeElement)) popup.current.focus()
    history.replaceState(history.state, '', postPath(next.id))
    announce(postTitle(next, i18n))
  }

  function onKeyDown({ nativeEvent, currentTarget }: KeyboardEvent) {
    const { target, key, metaKey, ctrlKey, altKey, shiftKey } = nativeEvent
    if (metaKey || ctrlKey || altKey || shiftKey) return
    // Events of dialogs that the post opens bubble here through the components.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return
    if (target.closest('input, textarea, select, [role=menu]')) return
    const step = arrowStep(key)
    if (step !== 0) move(step)
  }

  return (
    <Dialog.Root
      open
      modal="trap-focus"
      // Presses in the sign-in dialog are outside this one.
      disablePointerDismissal
      // Escape in a menu closes the menu.
      onOpenChange={(open, { event }) => !open && !event.defaultPrevented && close()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" onClick={close} />
        <Dialog.Popup
          ref={popup}
          className={`card ${styles['popup']}`}
          initialFocus={popup}
          finalFocus={false}
          onKeyDown={onKeyDown}
        >
          {post ? (
            <PostView
              key={id}
              post={post}
              details={details ?? null}
              Title={Dialog.Title}
              isOverlay
              onDeleted={close}
            />
          ) : (
            post === null && <NotFoundPage />
          )}
          <MoveButton
            to="previous"
            label={t`Previous post`}
            isDisabled={!neighbor(-1)}
            onClick={() => move(-1)}
          />
          <MoveButton to="next" label={t`Next post`} isDisabled={!neighbor(1)} onClick={() => move(1)} />
          <Dialog.Close className={`iconButton ${styles['close']}`} aria-label={t`Close`}>
            <CloseIcon />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function MoveButton(props: {
  to: 'previous' | 'next'
  label: string
  isDisabled: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      className={`iconButton ${styles['move']} ${styles[props.to]}`}
      aria-label={props.label}
      // Not the attribute `disabled`: the focus would be lost at the end of the list.
      aria-disabled={props.isDisabled}
      onClick={props.onClick}
    >
      <UnfoldIcon className={styles['arrow']} />
    </button>
  )
}

/** Keeps the page below from scrolling while the dialog is open, without changing its width. */
function useScrollLock(): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    // Some scrollbars take no space.
    const hasScrollbar = root.clientWidth < window.innerWidth
    root.style.overflow = 'hidden'
    if (hasScrollbar) root.style.scrollbarGutter = 'stable'
    return () => {
      root.style.overflow = ''
      root.style.scrollbarGutter = ''
    }
  }, [])
}
