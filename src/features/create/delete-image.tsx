import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Image } from '../../../shared/images.ts'
import { describeFailure } from '../../api/failure.ts'
import { isMissing } from '../../api/is-gone.ts'
import { removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { cardId } from './image-card.tsx'

/** Asks whether an image shall really go, and takes it out of every list. */
export function DeleteImage(props: { image: Image; onDeleted: () => void; onClosed: () => void }) {
  const { id, photo, isHidden } = props.image
  const [open, setOpen] = useState(true)
  const focusAfter = useRef<HTMLElement | null>(null)
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const remove = trpc.images.delete.useMutation()

  async function confirm() {
    if (!(await isMissing(remove.mutateAsync({ id })))) return
    focusAfter.current = neighbourOf(id)
    if (photo) removePosts(queryClient, (post) => post.photo === photo)
    props.onDeleted()
    await api.images.list.invalidate()
    announce('The image is deleted.')
    setOpen(false)
  }

  return (
    <ConfirmDialog
      open={open}
      title="Delete this image?"
      description={describeDeletion({ photo, isHidden })}
      confirm="Delete"
      cancel="Keep it"
      isBusy={remove.isPending}
      failure={
        remove.error &&
        (describeFailure(remove.error).message ?? 'The image could not be deleted. Try again in a moment.')
      }
      focusAfter={() => focusAfter.current}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={props.onClosed}
    />
  )
}

function describeDeletion({ photo, isHidden }: Pick<Image, 'photo' | 'isHidden'>): string {
  if (!photo) return 'Its words leave this list for good.'
  if (isHidden)
    return 'It leaves this list for good. The administrators keep it until they have decided about it.'
  return 'It is gone for good, and posts in the gallery that show it go too.'
}

/** Where a user goes on after their image is gone: the one beside it, or the page's heading. */
function neighbourOf(imageId: string): HTMLElement | null {
  const card = document.getElementById(cardId(imageId))
  const neighbour = card?.nextElementSibling ?? card?.previousElementSibling
  return neighbour?.querySelector('button') ?? document.querySelector<HTMLElement>('main h1')
}
