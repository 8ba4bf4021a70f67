import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { DialogResponses } from './dialog-answers.tsx'
import styles from './dialog.module.css'
import { Notice } from './notice.tsx'

/** Asks before something that cannot be undone. Focus starts on the harmless answer. */
export function Question(props: {
  open: boolean
  title: string
  description: ReactNode
  confirm: string
  cancel: string
  isBusy: boolean
  failure: string | null
  /** The way on from a failure, where there is another than trying again. */
  failureAction?: ReactNode
  /** Where focus goes when the question has closed; null: back to where it was. */
  focusAfter: () => HTMLElement | null
  onConfirm: () => void
  onCancel: () => void
  /** When it is gone from the screen. */
  onClosed: () => void
}) {
  return (
    <AlertDialog.Root
      open={props.open}
      onOpenChange={(open) => !open && props.onCancel()}
      onOpenChangeComplete={(open) => !open && props.onClosed()}
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
            <DialogResponses>
              <Button onClick={props.onCancel}>{props.cancel}</Button>
              <Button variant="danger" isBusy={props.isBusy} onClick={props.onConfirm}>
                {props.confirm}
              </Button>
            </DialogResponses>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
