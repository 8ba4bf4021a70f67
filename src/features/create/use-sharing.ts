import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Visibility } from '../../../shared/posts.ts'
import { postPath } from '../../../shared/routes.ts'
import { showSharedPost } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import type { SharedDraft } from './creation-store.ts'

/** Choices for a new post; without a visibility, the one of the account. */
export interface SharingOptions {
  readonly visibility?: Visibility
  readonly hidePrompt: boolean
  readonly isSensitive: boolean
}

/**
 * Shares an image, then shows it at the top of the gallery. Concurrent calls are ignored. A retry after a lost response
 * returns the existing post.
 */
export function useSharing() {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const [isBusy, setIsBusy] = useState(false)
  const isRunning = useRef(false)

  async function share(post: SharedDraft & SharingOptions, onShared: () => void): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    setIsBusy(true)
    try {
      const shared = await api.client.posts.create.mutate(post)
      if (shared.visibility !== 'public') {
        onShared()
        navigate(postPath(shared.id))
        return toast(
          shared.visibility === 'private'
            ? t`Only you see this post.`
            : t`Only people with the link see this post.`,
        )
      }
      // The form keeps its content until the gallery is updated.
      await showSharedPost(api, queryClient, shared).finally(onShared)
      navigate('/')
      toast(t`Your image is in the gallery.`, { label: t`View post`, href: postPath(shared.id) })
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  return { share, isBusy }
}
