import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { ListedImage } from '../../../../shared/images.ts'
import { failureMessage } from '../../../api/failure.ts'
import { trpc } from '../../../api/trpc.ts'
import { useToast } from '../../../ui/announcer.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { findNeighborOfCard } from '../image-card.tsx'
import { describePermanentDeletion } from './describe-deletion.ts'

/** Dialog that deletes an image in the trash permanently. */
export function DeletePermanently({ image, onClosed }: { image: ListedImage; onClosed: () => void }) {
  const { i18n, t } = useLingui()
  const [open, setOpen] = useState(true)
  const focusAfter = useRef<HTMLElement | null>(null)
  const api = trpc.useUtils()
  const toast = useToast()
  const remove = trpc.images.deletePermanently.useMutation()

  async function confirm() {
    try {
      await remove.mutateAsync({ id: image.id })
    } catch {
      // The dialog shows it. The image may have been restored in another tab.
      await api.images.list.invalidate()
      return
    }
    focusAfter.current = findNeighborOfCard(image.id)
    await Promise.all([api.images.list.invalidate(), api.images.quota.invalidate()])
    toast(t`The image is deleted permanently.`)
    setOpen(false)
  }

  return (
    <ConfirmDialog
      open={open}
      title={t`Delete this image permanently?`}
      description={describePermanentDeletion(image, i18n)}
      confirm={t`Delete permanently`}
      cancel={t`Keep it`}
      isBusy={remove.isPending}
      failure={
        remove.error &&
        (failureMessage(remove.error, i18n) ?? t`The image could not be deleted. Try again in a moment.`)
      }
      focusAfter={() => focusAfter.current}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={onClosed}
    />
  )
}
