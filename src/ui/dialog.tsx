import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'

/** A modal dialog: holds focus, closes on Escape, hands focus on when it goes. */
export function Dialog(props: {
  open: boolean
  title: string
  description: ReactNode
  /** Where focus goes when the dialog has closed; null: back to where it was. */
  focusAfter: () => HTMLElement | null
  onClose: () => void
  /** When it is gone from the screen. */
  onClosed: () => void
  children: ReactNode
}) {
  return (
    <BaseDialog.Root
      open={props.open}
      onOpenChange={(open) => !open && props.onClose()}
      onOpenChangeComplete={(open) => !open && props.onClosed()}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles['backdrop']} />
        <BaseDialog.Viewport className={styles['viewport']}>
          <BaseDialog.Popup className={styles['popup']} finalFocus={() => props.focusAfter() ?? true}>
            <BaseDialog.Title className={styles['title']}>{props.title}</BaseDialog.Title>
            <BaseDialog.Description className={styles['description']}>
              {props.description}
            </BaseDialog.Description>
            {props.children}
            <BaseDialog.Close className={styles['close']} aria-label="Close">
              <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d="M3 3l10 10M13 3L3 13" />
              </svg>
            </BaseDialog.Close>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
