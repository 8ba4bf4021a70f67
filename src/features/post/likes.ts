import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PostDetails } from '../../../shared/posts.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { removeMissingPost } from '../../api/post-changes.ts'
import { postQuery, updateCachedPost } from '../../api/post-details.ts'
import { trpc } from '../../api/trpc.ts'
import { toast } from '../../ui/announcer.tsx'
import { useSession } from '../auth/session.ts'

/**
 * Likes posts, or removes the likes, at once on the page and then on the server. Visitors are asked to sign in. A press while
 * the post or the session is loading is remembered: the post is liked as soon as both are there.
 */
export function useLike() {
  const { i18n, t } = useLingui()
  const session = useSession()
  const viewerId = session.viewer?.id
  const queryClient = useQueryClient()
  const api = trpc.useUtils()
  const [pressed, setPressed] = useState<{ readonly id: string; readonly isWaiting: boolean } | null>(null)
  const busy = useRef(new Set<string>())
  const likeNow = useEffectEvent(() => {
    if (pressed?.isWaiting) void toggle(pressed.id, true)
  })
  useEffect(() => {
    if (viewerId !== undefined) likeNow()
  }, [viewerId, pressed])
  useEffect(() => {
    if (session.status === 'signed-out') likeNow()
  }, [session.status])

  /** @param isRemembered true if the button read "Like" */
  async function toggle(id: string, isRemembered = false): Promise<void> {
    if (session.status === 'signed-out') {
      setPressed(null)
      return session.openSignInFor({ goal: 'like', onSignedIn: () => setPressed({ id, isWaiting: true }) })
    }
    if (viewerId === undefined) return setPressed({ id, isWaiting: true })
    if (busy.current.has(id)) return
    // Not the post as visitors see it, which the page shows first: its answer would overwrite the like.
    const query = postQuery(api, id, viewerId)
    const known = queryClient.getQueryData<PostDetails | null>(query.queryKey)
    const update = (change: Partial<PostDetails>) => updateCachedPost(queryClient, id, viewerId, change)
    let former: Partial<PostDetails> = {}
    busy.current.add(id)
    setPressed({ id, isWaiting: !known })
    try {
      const details = known ?? (await queryClient.ensureQueryData(query))
      // The answer says that the post is gone.
      if (!details) return void (await api.client.posts.like.mutate({ id }))
      if (details.isLiked && (isRemembered || !known)) return
      const { isLiked, likeCount } = details
      // A request on its way would bring the post back as it was.
      await queryClient.cancelQueries({ queryKey: query.queryKey })
      former = { isLiked, likeCount }
      update({ isLiked: !isLiked, likeCount: likeCount + (isLiked ? -1 : 1) })
      update(await api.client.posts[isLiked ? 'unlike' : 'like'].mutate({ id }))
    } catch (error) {
      update(former)
      const { reason } = describeFailure(error)
      if (reason === 'not_found') removeMissingPost(queryClient, id)
      if (reason === 'not_signed_in') session.openSignIn()
      else toast(failureMessage(error, i18n) ?? t`The like could not be saved. Try again in a moment.`)
    } finally {
      busy.current.delete(id)
      setPressed(null)
    }
  }

  return { waitingId: pressed?.isWaiting ? pressed.id : null, toggle }
}

/**
 * Likes a listed post, or removes the like, as a press of Like on its page does.
 *
 * @param props.onChange called after the change on the page, and after the answer
 */
export function LikePost({ id, onChange }: { id: string; onChange: () => void }) {
  const { toggle } = useLike()
  const press = useEffectEvent(() => {
    void toggle(id).then(onChange)
    onChange()
  })
  useEffect(() => press(), [])
  return null
}
