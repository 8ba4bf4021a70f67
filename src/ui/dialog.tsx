import { useLingui } from '@lingui/react/macro'
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { useContext, useEffect, useState, type ReactNode } from 'react'
import { pageHeading } from '../browser/apis.ts'
import { useCloseOnBack } from '../browser/page-history.ts'
import { closeButtonClass } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './dialog.module.css'
import { ClosedContext } from './use-dialog.tsx'

export interface DialogProps {
  readonly title: ReactNode
  readonly description: ReactNode
  /** Address of the image that it is about. */
  readonly picture?: string | undefined
  /** True for a panel of the window's height at the end of the line. */
  readonly isDrawer?: boolean
  /** Element that gets focus after opening; without one, or if it is null, that is the first control. */
  readonly initialFocus?: () => HTMLElement | null
  /**
   * Element that gets focus after closing, or else its first control; without one, or if it is null, that is the one that had it
   * before, or the nearest control if that is gone. False if one has got it already.
   */
  readonly focusAfter?: (() => HTMLElement | null | false) | undefined
  /** Called when the closing animation has ended. */
  readonly onClosed?: (() => void) | undefined
}

/**
 * A modal dialog with a close button, which traps focus and closes on Escape and Back.
 *
 * @param props.open false to close it
 * @param props.isAlert true for a question, which has buttons instead; focus starts on the first
 * @param props.onClose called when the user closes it; returns false to keep it open
 */
export function Dialog(
  props: DialogProps & {
    open?: boolean
    isAlert?: boolean
    onClose?: () => boolean | void
    children: ReactNode
  },
) {
  const { t } = useLingui()
  const { Root, Portal, Backdrop, Viewport, Popup, Title, Description } = props.isAlert
    ? AlertDialog
    : BaseDialog
  const forget = useContext(ClosedContext)
  const [isClosed, setIsClosed] = useState(false)
  const [focusBefore] = useState(() => focusReturn(document.activeElement))
  const isOpen = props.open !== false && !isClosed
  const close = () => setIsClosed(props.onClose?.() !== false)
  useCloseOnBack(isOpen, close)
  useEffect(
    () => () => {
      // It was removed together with what had opened it.
      const target = document.activeElement === document.body && focusBefore()
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    },
    [focusBefore],
  )
  return (
    <Root
      open={isOpen}
      onOpenChange={(open) => !open && close()}
      onOpenChangeComplete={(open) => {
        if (open) return
        forget()
        props.onClosed?.()
      }}
    >
      <Portal>
        <Backdrop className="backdrop fading" />
        <Viewport className={styles['viewport']}>
          <Popup
            className={`card raised ${styles['popup']} ${props.isDrawer ? styles['drawer'] : ''}`}
            // On touch screens a field would open the keyboard over the dialog.
            initialFocus={(opened) => (opened !== 'touch' && props.initialFocus?.()) || true}
            finalFocus={() => props.focusAfter?.() ?? focusBefore()}
          >
            <div className={`stack wider ${styles['content']}`}>
              {props.picture !== undefined && (
                <img src={props.picture} alt="" className={styles['picture']} />
              )}
              <Title className={`breakable ${styles['title']}`}>{props.title}</Title>
              {props.description != null && (
                <Description className={`quiet ${styles['description']}`}>{props.description}</Description>
              )}
              {props.children}
            </div>
            {!props.isAlert && (
              <BaseDialog.Close className={`${closeButtonClass} ${styles['close']}`} aria-label={t`Close`}>
                <CloseIcon />
              </BaseDialog.Close>
            )}
          </Popup>
        </Viewport>
      </Portal>
    </Root>
  )
}

/** Controls that get the focus in place of one that is gone. */
const controls = 'button, form input:not([hidden])'

/**
 * Returns a function that finds what gets the focus back: an element itself; if it has been removed with an item of a list or
 * group, a control of the nearest item, or next to the list in its section; otherwise the bar or dialog around it, or the heading of
 * the page.
 */
function focusReturn(opener: Element | null): () => HTMLElement | true {
  const item = opener?.closest('li, tr, fieldset > *')
  // A list may leave its section together with its heading.
  const end = item?.closest('section') ?? item?.parentElement?.parentElement
  const around: Element[] = []
  for (let level = item; level?.parentElement && level !== end; level = level.parentElement) {
    const siblings = Array.from(level.parentElement.children)
    const index = siblings.indexOf(level)
    around.push(...siblings.slice(index + 1), ...siblings.slice(0, index).toReversed())
  }
  const frames = ['[role=group][tabindex]', '[role$=dialog]'].map((one) => opener?.closest<HTMLElement>(one))
  return () => {
    if (opener?.isConnected !== false) return true
    for (const one of around) {
      const control = one.matches(controls) ? one : one.querySelector(controls)
      if (one.isConnected && control instanceof HTMLElement) return control
    }
    return frames.find((frame) => frame?.isConnected) ?? pageHeading() ?? true
  }
}

/** Buttons at the end of a dialog or of its form, the primary one last. They stay in view while the rest scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={`row wider ${styles['actions']}`}>{children}</div>
}
