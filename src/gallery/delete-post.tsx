import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Post } from '../../shared/posts.ts'
import { describeFailure } from '../api/failure.ts'
import { removePost } from '../api/post-lists.ts'
import { trpc } from '../api/trpc.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { Question } from '../ui/question.tsx'
import { cardId } from './post-card.tsx'

/** Asks whether a post shall really go, and takes it out of the gallery. */
export function DeletePost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const [open, setOpen] = useState(true)
  const focusAfter = useRef<HTMLElement | null>(null)
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const remove = trpc.posts.delete.useMutation()

  async function confirm() {
    try {
      await remove.mutateAsync({ id: post.id })
    } catch (error) {
      // Gone already, from another tab perhaps: that is what was asked for.
      if (describeFailure(error).reason !== 'not_found') return
    }
    focusAfter.current = neighbourOf(post.id)
    removePost(queryClient, post.id)
    announce('The post is deleted.')
    setOpen(false)
  }

  return (
    <Question
      open={open}
      title="Delete this post?"
      description="The picture leaves the gallery for everyone. This cannot be undone."
      confirm="Delete"
      cancel="Keep it"
      isBusy={remove.isPending}
      failure={
        remove.error &&
        (describeFailure(remove.error).message ?? 'The post could not be deleted. Try again in a moment.')
      }
      focusAfter={() => focusAfter.current}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={onClosed}
    />
  )
}

/** Where a person goes on after their post is gone: the one beside it, or the page's heading. */
function neighbourOf(postId: string): HTMLElement | null {
  const card = document.getElementById(cardId(postId))
  const neighbour = card?.nextElementSibling ?? card?.previousElementSibling
  return neighbour?.querySelector('button') ?? document.querySelector<HTMLElement>('main h1')
}
