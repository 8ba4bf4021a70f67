import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { describeFailure } from '../../api/failure.ts'
import { isMissing } from '../../api/is-gone.ts'
import { removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

/** Asks whether a reported post shall really go, and deletes it. */
export function DeleteReportedPost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const [open, setOpen] = useState(true)
  const isDeleted = useRef(false)
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const remove = trpc.posts.delete.useMutation()

  async function confirm() {
    if (!(await isMissing(remove.mutateAsync({ id: post.id })))) return
    isDeleted.current = true
    removePosts(queryClient, ({ photo }) => photo === post.photo)
    await api.moderation.invalidate()
    announce('The post is deleted.')
    setOpen(false)
  }

  return (
    <ConfirmDialog
      open={open}
      title={`Delete the post of ${post.name}?`}
      description="The image is deleted for good, with every post that shows it. Its author cannot share it again."
      confirm="Delete"
      cancel="Keep it"
      isBusy={remove.isPending}
      failure={
        remove.error &&
        (describeFailure(remove.error).message ?? 'The post could not be deleted. Try again in a moment.')
      }
      focusAfter={() => (isDeleted.current ? document.getElementById('reported-count') : null)}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={onClosed}
    />
  )
}
