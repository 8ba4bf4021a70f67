import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ListedImage } from '../../../shared/images.ts'
import { failureMessage, isDeletionDone } from '../../api/failure.ts'
import { removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { findNeighborOfCard } from './image-card.tsx'
import { describeDeletion } from './your-images/describe-deletion.ts'
import { useDeletedToast } from './your-images/use-deleted-toast.ts'

/** Dialog that deletes an image, which moves it to the trash, and removes it from every list. */
export function DeleteImage(props: { image: ListedImage; onDeleted: () => void; onClosed: () => void }) {
  const { i18n, t } = useLingui()
  const { id, photo } = props.image
  const [open, setOpen] = useState(true)
  const focusAfter = useRef<HTMLElement | null>(null)
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const announceDeleted = useDeletedToast()
  const remove = trpc.images.delete.useMutation()

  async function confirm() {
    if (!(await isDeletionDone(remove.mutateAsync({ id })))) return
    focusAfter.current = findNeighborOfCard(id)
    if (photo) removePosts(queryClient, (post) => post.photo === photo)
    props.onDeleted()
    await api.images.list.invalidate()
    announceDeleted([props.image])
    setOpen(false)
  }

  return (
    <ConfirmDialog
      open={open}
      title={t`Delete this image?`}
      description={describeDeletion([props.image], i18n)}
      confirm={t`Delete`}
      cancel={t`Keep it`}
      isBusy={remove.isPending}
      failure={
        remove.error &&
        (failureMessage(remove.error, i18n) ?? t`The image could not be deleted. Try again in a moment.`)
      }
      focusAfter={() => focusAfter.current}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={props.onClosed}
    />
  )
}
