import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { failureMessage } from '../../../api/failure.ts'
import { trpc } from '../../../api/trpc.ts'
import { useToast } from '../../../ui/announcer.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'

/** Dialog that deletes all failed images. */
export function ClearFailed({ onClosed }: { onClosed: () => void }) {
  const { i18n, t } = useLingui()
  const [open, setOpen] = useState(true)
  const api = trpc.useUtils()
  const toast = useToast()
  const clear = trpc.images.deleteFailed.useMutation()

  async function confirm() {
    try {
      await clear.mutateAsync()
    } catch {
      // The dialog shows it.
      return
    }
    await api.images.list.invalidate()
    toast(t`The failed images are cleared.`)
    setOpen(false)
  }

  return (
    <ConfirmDialog
      open={open}
      title={t`Clear all failed images?`}
      description={t`This permanently removes their prompts from this list.`}
      confirm={t`Clear`}
      cancel={t`Keep them`}
      isBusy={clear.isPending}
      failure={
        clear.error &&
        (failureMessage(clear.error, i18n) ?? t`The images could not be cleared. Try again in a moment.`)
      }
      focusAfter={() => document.querySelector<HTMLElement>('main h1')}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={onClosed}
    />
  )
}
