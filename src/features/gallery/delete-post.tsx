import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { describeFailure } from '../../api/failure.ts'
import { isMissing } from '../../api/is-gone.ts'
import { removePost, removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useSignInInstead } from '../auth/sign-in-instead.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Question } from '../../ui/question.tsx'
import { cardId } from './post-card.tsx'

const signedOut = 'You are signed out. Sign in again, then delete the post.'

/** Asks whether a post shall really go, and takes it out of the gallery. */
export function DeletePost({
  post,
  isOwn,
  onClosed,
}: {
  post: Post
  /** Whether the user who is asked shared it; an administrator is told who did. */
  isOwn: boolean
  onClosed: () => void
}) {
  const [open, setOpen] = useState(true)
  const focusAfter = useRef<HTMLElement | null>(null)
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const signInInstead = useSignInInstead(() => setOpen(false))
  const remove = trpc.posts.delete.useMutation()

  async function confirm() {
    if (!(await isMissing(remove.mutateAsync({ id: post.id })))) return
    focusAfter.current = neighbourOf(post.id)
    if (isOwn) removePost(queryClient, post.id)
    else removePosts(queryClient, ({ photo }) => photo === post.photo)
    announce('The post is deleted.')
    setOpen(false)
  }

  const failure = remove.error && describeFailure(remove.error)
  const hasEnded = failure?.reason === 'not_signed_in'
  return (
    <Question
      open={open}
      title={isOwn ? 'Delete this post?' : `Delete ${post.name}’s post?`}
      description={
        isOwn
          ? 'The image leaves the gallery for everyone. This cannot be undone.'
          : `${post.name} shared it, not you. The image is deleted, with every post that shows it, and cannot be shared again. This cannot be undone.`
      }
      confirm="Delete"
      cancel="Keep it"
      isBusy={remove.isPending}
      failure={
        failure &&
        (hasEnded ? signedOut : (failure.message ?? 'The post could not be deleted. Try again in a moment.'))
      }
      failureAction={hasEnded && signInInstead.button}
      focusAfter={() => focusAfter.current}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={() => {
        onClosed()
        signInInstead.afterClosed()
      }}
    />
  )
}

/** Where a user goes on after their post is gone: the one beside it, or the page's heading. */
function neighbourOf(postId: string): HTMLElement | null {
  const card = document.getElementById(cardId(postId))
  const neighbour = card?.nextElementSibling ?? card?.previousElementSibling
  return neighbour?.querySelector('button') ?? document.querySelector<HTMLElement>('main h1')
}
