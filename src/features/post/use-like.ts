import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { PostDetails } from '../../../shared/posts.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { updateCachedPost } from '../../api/post-details.ts'
import { trpc } from '../../api/trpc.ts'
import { useSession } from '../auth/session.ts'
import { useToast } from '../../ui/announcer.tsx'

/**
 * Likes a post, or removes the like, at once on the page and then on the server. Visitors are asked to sign in.
 *
 * @param details null while they are loading
 */
export function useLike(details: PostDetails | null): () => Promise<void> {
  const { i18n, t } = useLingui()
  const session = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const like = trpc.posts.like.useMutation()
  const unlike = trpc.posts.unlike.useMutation()

  return async function toggle() {
    if (session.status === 'signed-out') return session.openSignIn()
    if (!details || !session.viewer || like.isPending || unlike.isPending) return
    const { id, isLiked, likeCount } = details
    const viewerId = session.viewer.id
    updateCachedPost(queryClient, id, viewerId, {
      isLiked: !isLiked,
      likeCount: likeCount + (isLiked ? -1 : 1),
    })
    try {
      updateCachedPost(queryClient, id, viewerId, await (isLiked ? unlike : like).mutateAsync({ id }))
    } catch (error) {
      updateCachedPost(queryClient, id, viewerId, { isLiked, likeCount })
      if (describeFailure(error).reason === 'not_signed_in') session.openSignIn()
      else toast(failureMessage(error, i18n) ?? t`The like could not be saved. Try again in a moment.`)
    }
  }
}
