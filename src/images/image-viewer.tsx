import { useLingui } from '@lingui/react/macro'
import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useCloseOnBack } from '../browser/page-history.ts'
import { arrowStep, hasModifier, isTyping, pressShortcut } from '../browser/apis.ts'
import { CloseIcon, Icon, UnfoldIcon } from '../ui/icons.tsx'
import { shorten, UserText } from '../ui/text.tsx'
import type { Comparison } from './compare.tsx'
import { ImageStage } from './image-stage.tsx'
import { averageColor, describeImage, sourceSet, type ShownImage } from './image.tsx'
import styles from './image-viewer.module.css'

/** Number of images before the last one that is loaded from which more are asked for. */
const nearEnd = 3

/**
 * Shows whole images over the page, as large as the window allows, one at a time, with what belongs to them. Arrow keys and
 * swipes go to the next and previous one, Escape and Back close, the key of a control's `aria-keyshortcuts` presses it.
 */
export function ImageViewer(props: {
  /** The images that are loaded, in their order. */
  images: readonly ShownImage[]
  shownId: string
  onShow: (id: string) => void
  /** Describes the shown image; by default that is its prompt. */
  text?: string
  /** Place of the shown image among all, from 1, and their number, where not all are loaded. */
  position?: number
  total?: number | undefined
  /** Called when the shown image is near the last one that is loaded. */
  onNearEnd?: (() => void) | undefined
  /** What there is to read and to do about the shown image: beside it, or below it on phones. */
  panel?: ReactNode
  /** What the shown image can be compared with. */
  others?: readonly Comparison[]
  /** Names of the buttons; by default they are about images. */
  labels?: { readonly previous: string; readonly next: string }
  /** Returns the element that gets focus after closing, given the last image; by default the one that had it before. */
  focusAfter?: (shownId: string) => HTMLElement | null
  /** Called when the closing animation has ended. */
  onClosed?: () => void
  /** Leaves the address of the viewer, where it has one, which also moves the focus. Others close by themselves. */
  onLeave?: () => void
}) {
  const { i18n, t } = useLingui()
  const { images, shownId, onShow, panel, onLeave, others = [] } = props
  const [open, setOpen] = useState(true)
  const close = onLeave ?? (() => setOpen(false))
  useCloseOnBack(open && !onLeave, close)
  const [comparedId, setComparedId] = useState<string | null>(null)
  const other = others.find((one) => one.image.id === comparedId)
  const popup = useRef<HTMLDivElement>(null)
  const index = images.findIndex(({ id }) => id === shownId)
  const image = images[index]
  const neighbors = [images[index - 1], images[index + 1]] as const
  const number = props.position ?? index + 1
  const total = props.total ?? images.length
  const text = props.text ?? (image ? describeImage(image, i18n) : '')

  const onNearEnd = useEffectEvent(() => props.onNearEnd?.())
  const loaded = images.length
  useEffect(() => {
    if (index + nearEnd >= loaded) onNearEnd()
  }, [index, loaded])
  useScrollLock(open)
  usePreloaded(neighbors)

  function step(by: 1 | -1) {
    const next = image && images[index + by]
    if (!next) return
    // An element about this image is removed, and the focus with it.
    if (document.activeElement?.closest('[data-shown]')) popup.current?.focus()
    popup.current?.scrollTo({ top: 0, behavior: 'instant' })
    onShow(next.id)
  }

  function onKeyDown({ nativeEvent, currentTarget }: KeyboardEvent) {
    const { target, key } = nativeEvent
    if (hasModifier(nativeEvent) || isTyping(target)) return
    // Events of dialogs that the panel opens bubble here through the components.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return
    // A slider moves by all keys with a name.
    if (target.matches('[type=range]') && key.length > 1) return
    const by = arrowStep(key)
    if (by !== 0) step(by)
    else pressShortcut(currentTarget, key)
  }

  return (
    <Dialog.Root
      open={open}
      // Clerk's sign-in dialog is outside, and presses in it, too.
      modal="trap-focus"
      disablePointerDismissal
      // Escape in a menu closes the menu.
      onOpenChange={(isOpen, { event }) => !isOpen && !event.defaultPrevented && close()}
      onOpenChangeComplete={(isOpen) => !isOpen && props.onClosed?.()}
    >
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          className={`${styles['popup']} ${onLeave ? '' : 'fading'}`}
          data-panel={panel ? true : undefined}
          style={
            image &&
            ({
              '--average': averageColor(image.placeholder),
              '--ratio': image.width / image.height,
            } as object)
          }
          aria-label={shorten(text)}
          initialFocus={popup}
          finalFocus={onLeave ? false : () => props.focusAfter?.(shownId) ?? true}
          onKeyDown={onKeyDown}
        >
          <div className={styles['stage']}>
            <div className={styles['bar']}>
              {(images.length > 1 || total > 1) && (
                <>
                  <Step
                    to="previous"
                    label={props.labels?.previous ?? t`Previous image`}
                    isEnd={!neighbors[0]}
                    onClick={() => step(-1)}
                  />
                  <span className={`tabular ${styles['place']}`}>{t`${number} of ${total}`}</span>
                  <Step
                    to="next"
                    label={props.labels?.next ?? t`Next image`}
                    isEnd={!neighbors[1]}
                    onClick={() => step(1)}
                  />
                </>
              )}
              <span className={styles['caption']}>
                {!panel && <UserText text={shorten(text)} className="ellipsis" />}
              </span>
              {other && others.length > 1 && (
                <select
                  className={`control ${styles['others']}`}
                  aria-label={t`Compare with`}
                  value={other.image.id}
                  onChange={(event) => setComparedId(event.target.value)}
                >
                  {others.map((one) => (
                    <option key={one.image.id} value={one.image.id}>
                      {one.label}
                    </option>
                  ))}
                </select>
              )}
              {others[0] && (
                <button
                  type="button"
                  className="iconButton"
                  aria-label={t({ message: 'Compare', comment: 'Button that shows two images side by side' })}
                  aria-keyshortcuts="C"
                  aria-pressed={other !== undefined}
                  onClick={() => setComparedId(other ? null : (others[0]?.image.id ?? null))}
                >
                  {/* Two halves. */}
                  <Icon path="M10 2.5v15M7 5H3.5v10H7M13 5h3.5v10H13" />
                </button>
              )}
              <Dialog.Close className="iconButton" aria-label={t`Close`}>
                <CloseIcon />
              </Dialog.Close>
            </div>
            {image && (
              <div data-shown className={styles['layer']}>
                <ImageStage
                  key={image.id}
                  image={image}
                  other={other}
                  text={text}
                  onStep={step}
                  onClose={close}
                  sheet={() => popup.current}
                />
              </div>
            )}
          </div>
          {panel && (
            <div data-shown className={styles['panel']}>
              {panel}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Step(props: { to: 'previous' | 'next'; label: string; isEnd: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`iconButton ${styles[props.to]}`}
      aria-label={props.label}
      // Not the attribute `disabled`: the focus would be lost at the end of the list.
      aria-disabled={props.isEnd}
      onClick={props.onClick}
    >
      <UnfoldIcon className={styles['arrow']} />
    </button>
  )
}

/** Loads images before they are shown. */
function usePreloaded(images: readonly (ShownImage | undefined)[]): void {
  const sets = images.map((image) => (image && !image.isSensitive ? sourceSet(image) : '')).join('\n')
  useEffect(() => {
    for (const srcset of sets.split('\n').filter(Boolean))
      Object.assign(new Image(), { sizes: '1280px', srcset })
  }, [sets])
}

let locks = 0

/** Keeps the page below from scrolling while a dialog is open, or one above it, without changing its width. */
export function useScrollLock(isLocked: boolean): void {
  useLayoutEffect(() => {
    if (!isLocked) return
    const root = document.documentElement
    // Some scrollbars take no space.
    const hasScrollbar = root.clientWidth < window.innerWidth
    locks += 1
    root.style.overflow = 'hidden'
    if (hasScrollbar) root.style.scrollbarGutter = 'stable'
    return () => {
      locks -= 1
      if (locks > 0) return
      root.style.overflow = ''
      root.style.scrollbarGutter = ''
    }
  }, [isLocked])
}
