import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RelatedPosts } from '../../../shared/page-data.ts'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { pageKeys } from '../../api/page-data.ts'
import { postQuery, relatedQuery } from '../../api/post-details.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { useSession } from '../auth/session.ts'
import { postTitle } from './post-texts.ts'

/**
 * The post of an id, first as every visitor sees it, then as the signed-in viewer does. `data` is null for a post that the
 * viewer can't see.
 */
export function usePost(id: string) {
  const { status, viewer } = useSession()
  const api = trpc.useUtils()
  const placeholder = useQueryClient().getQueryData<PostDetails | null>(pageKeys.post(id, null))
  return useQuery({
    ...postQuery(api, id, viewer?.id ?? null),
    ...(placeholder !== undefined && { placeholderData: placeholder }),
    // Until then it is not known how the viewer sees the post.
    enabled: status !== 'loading',
  })
}

/** The posts that are shown with a post; undefined until they have loaded. */
export function useRelatedPosts(details: PostDetails | null): RelatedPosts | undefined {
  const api = trpc.useUtils()
  return useQuery(relatedQuery(api, details)).data
}

/** Sets the title of the document to that of a post, and restores it afterwards. Does nothing while the post is unknown. */
export function usePostTitle(post: Post | null | undefined): void {
  const { i18n } = useLingui()
  const { name } = useSite()
  const title = post && `${postTitle(post, i18n)} — ${name}`
  useEffect(() => {
    if (!title) return
    const previous = document.title
    document.title = title
    return () => {
      document.title = previous
    }
  }, [title])
}
