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
  /** Element that gets focus after closing; without one, or if it is null, that is the one that had it before. */
  readonly focusAfter?: () => HTMLElement | null
  /** Called when the closing animation has ended. */
  readonly onClosed?: () => void
}

/** A modal dialog with a close button. Traps focus and closes on Escape and Back. */
export function Dialog(props: DialogProps & { onClose: () => void; children: ReactNode }) {
  const { t } = useLingui()
  return (
    <Modal {...props} parts={BaseDialog}>
      {props.children}
      <BaseDialog.Close className={`${closeButtonClass} ${styles['close']}`} aria-label={t`Close`}>
        <CloseIcon />
      </BaseDialog.Close>
    </Modal>
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
  return (
    <Modal {...props} parts={AlertDialog} onClose={props.onCancel}>
      <Notice action={props.failureAction}>{props.failure}</Notice>
      <DialogActions>
        <Button onClick={props.onCancel}>{props.cancel}</Button>
        <Button variant="danger" isBusy={props.isBusy} onClick={props.onConfirm}>
          {props.confirm}
        </Button>
      </DialogActions>
    </Modal>
  )
}

function Modal(
  props: DialogProps & {
    parts: typeof BaseDialog | typeof AlertDialog
    onClose: () => void
    children: ReactNode
  },
) {
  const { Root, Portal, Backdrop, Viewport, Popup, Title, Description } = props.parts
  useCloseOnBack(props.open, props.onClose)
  return (
    <Root
      open={props.open}
      onOpenChange={(open) => !open && props.onClose()}
      onOpenChangeComplete={(open) => !open && props.onClosed?.()}
    >
      <Portal>
        <Backdrop className={`fading ${styles['backdrop']}`} />
        <Viewport className={styles['viewport']}>
          <Popup
            className={`stack wider card ${styles['popup']}`}
            finalFocus={() => props.focusAfter?.() ?? true}
          >
            <Title className={`breakable ${styles['title']}`}>{props.title}</Title>
            <Description className={`quiet ${styles['description']}`}>{props.description}</Description>
            {props.children}
          </Popup>
        </Viewport>
      </Portal>
    </Root>
  )
}
