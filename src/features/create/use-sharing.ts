import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { showSharedPost } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import type { SharedDraft } from './creation-store.ts'

/**
 * Shares an image, then shows it on top of the gallery. A second call meanwhile does nothing, and one after an answer
 * that was lost finds the post that the first one made.
 */
export function useSharing() {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [, navigate] = useLocation()
  const [isBusy, setIsBusy] = useState(false)
  const isRunning = useRef(false)

  async function share(post: SharedDraft, onShared: () => void): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    setIsBusy(true)
    try {
      const shared = await api.client.posts.create.mutate(post)
      // Until then the form stays as it is.
      await showSharedPost(api, queryClient, shared).finally(onShared)
      navigate('/')
      announce('Your image is in the gallery.')
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  return { share, isBusy }
}
