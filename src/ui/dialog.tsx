import { useLingui } from '@lingui/react/macro'
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useCloseOnBack } from '../browser/dialog-history.ts'
import { Button, closeButtonClass, DialogActions } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './dialog.module.css'
import { Notice } from './notice.tsx'

interface DialogProps {
  readonly open: boolean
  readonly title: ReactNode
  readonly description: ReactNode
  /** Element that gets focus after closing; null for the one that had it before. */
  readonly focusAfter: () => HTMLElement | null
  /** Called when the closing animation has ended. */
  readonly onClosed?: () => void
}

/** A modal dialog with a close button. Traps focus and closes on Escape and Back. */
export function Dialog(props: DialogProps & { onClose: () => void; children: ReactNode }) {
  const { t } = useLingui()
  useCloseOnBack(props.open, props.onClose)
  return (
    <BaseDialog.Root
      open={props.open}
      onOpenChange={(open) => !open && props.onClose()}
      onOpenChangeComplete={(open) => !open && props.onClosed?.()}
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
            <BaseDialog.Close className={`${closeButtonClass} ${styles['close']}`} aria-label={t`Close`}>
              <CloseIcon />
            </BaseDialog.Close>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** Asks for confirmation of something that cannot be undone. Focus starts on the button that cancels. */
export function ConfirmDialog(
  props: DialogProps & {
    confirm: string
    cancel: string
    isBusy: boolean
    failure: string | null
    /** An action that resolves the failure, other than trying again. */
    failureAction?: ReactNode
    onConfirm: () => void
    onCancel: () => void
  },
) {
  useCloseOnBack(props.open, props.onCancel)
  return (
    <AlertDialog.Root
      open={props.open}
      onOpenChange={(open) => !open && props.onCancel()}
      onOpenChangeComplete={(open) => !open && props.onClosed?.()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['backdrop']} />
        <AlertDialog.Viewport className={styles['viewport']}>
          <AlertDialog.Popup className={styles['popup']} finalFocus={() => props.focusAfter() ?? true}>
            <AlertDialog.Title className={styles['title']}>{props.title}</AlertDialog.Title>
            <AlertDialog.Description className={styles['description']}>
              {props.description}
            </AlertDialog.Description>
            <Notice action={props.failureAction}>{props.failure}</Notice>
            <DialogActions>
              <Button onClick={props.onCancel}>{props.cancel}</Button>
              <Button variant="danger" isBusy={props.isBusy} onClick={props.onConfirm}>
                {props.confirm}
              </Button>
            </DialogActions>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
