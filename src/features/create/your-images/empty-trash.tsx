import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { failureMessage } from '../../../api/failure.ts'
import { trpc } from '../../../api/trpc.ts'
import { useToast } from '../../../ui/announcer.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'

/** Dialog that deletes all images in the trash permanently. */
export function EmptyTrash({ onClosed }: { onClosed: () => void }) {
  const { i18n, t } = useLingui()
  const [open, setOpen] = useState(true)
  const api = trpc.useUtils()
  const toast = useToast()
  const empty = trpc.images.emptyTrash.useMutation()

  async function confirm() {
    let deleted: number
    try {
      deleted = (await empty.mutateAsync()).deleted
    } catch {
      // The dialog shows it. A part of the images may be deleted.
      await api.images.list.invalidate()
      return
    }
    await Promise.all([api.images.list.invalidate(), api.images.quota.invalidate()])
    toast(
      t`${plural(deleted, { one: '# image is deleted permanently.', other: '# images are deleted permanently.' })}`,
    )
    setOpen(false)
  }

  return (
    <ConfirmDialog
      open={open}
      title={t`Empty the trash?`}
      description={t`This permanently deletes all images in it, with their posts and likes.`}
      confirm={t`Empty trash`}
      cancel={t`Keep them`}
      isBusy={empty.isPending}
      failure={
        empty.error &&
        (failureMessage(empty.error, i18n) ?? t`The trash could not be emptied. Try again in a moment.`)
      }
      focusAfter={() => document.querySelector<HTMLElement>('main h1')}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={onClosed}
    />
  )
}
