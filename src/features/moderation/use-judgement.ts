import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ModerationAction, ReportedPost } from '../../../shared/moderation.ts'
import { describeFailure } from '../../api/failure.ts'
import { reloadLists } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce } from '../../ui/announcer.tsx'

type Judgement = Exclude<ModerationAction, 'delete'>

function describeDone(action: Judgement, { isWithdrawn }: ReportedPost): string {
  switch (action) {
    case 'hide':
      return 'The image is hidden.'
    case 'unhide':
      return isWithdrawn ? 'The image is no longer hidden.' : 'The post is in the gallery again.'
    case 'dismiss':
      return 'The reports are dismissed.'
  }
}

/** Hides a reported post, shows it again or dismisses its reports, and has everything that shows it loaded anew. */
export function useJudgement() {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function judge(entry: ReportedPost, action: Judgement): Promise<void> {
    if (isBusy) return
    setIsBusy(true)
    setFailure(null)
    try {
      await api.client.moderation[action].mutate({ id: entry.post.id })
      announce(describeDone(action, entry))
    } catch (error) {
      const { reason, message } = describeFailure(error)
      // Deleted meanwhile: the list loaded below shows it no more.
      if (reason !== 'not_found') setFailure(message ?? 'That could not be done. Try again in a moment.')
    }
    await api.moderation.invalidate()
    if (action !== 'dismiss') reloadLists(queryClient)
    setIsBusy(false)
  }

  return { judge, isBusy, failure }
}
