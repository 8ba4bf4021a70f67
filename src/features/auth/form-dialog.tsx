import { useRef, useState, type ReactNode } from 'react'
import { useToast } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CallForm, type FormCall } from './call-form.tsx'

const focusBefore = () => null

/**
 * A dialog with a form, which closes when its call has succeeded, and not while it is made.
 *
 * @param props.outcome says what the call did
 * @param props.focusAfter element that gets focus after closing, by default the one that had it before
 */
export function FormDialog({
  title,
  description,
  outcome,
  focusAfter = focusBefore,
  onClosed,
  ...form
}: FormCall & {
  title: ReactNode
  description: ReactNode
  outcome?: string
  cancel?: string
  focusAfter?: () => HTMLElement | null
  onClosed: () => void
}) {
  const [open, setOpen] = useState(true)
  const isSending = useRef(false)
  const toast = useToast()
  const close = () => setOpen(false)

  async function call(...input: Parameters<FormCall['call']>): ReturnType<FormCall['call']> {
    isSending.current = true
    try {
      return await form.call(...input)
    } finally {
      isSending.current = false
    }
  }

  return (
    <Dialog
      open={open}
      title={title}
      description={description}
      focusAfter={focusAfter}
      onClose={() => !isSending.current && close()}
      onClosed={onClosed}
    >
      <CallForm
        variant="primary"
        {...form}
        call={call}
        onDone={() => {
          if (outcome !== undefined) toast(outcome)
          close()
        }}
        onSignIn={close}
        onCancel={close}
      />
    </Dialog>
  )
}
