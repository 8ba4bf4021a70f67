import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useLocation, useParams } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { failureMessage } from '../../api/failure.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/loading.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePost, usePostTitle } from './use-post.ts'
import { PostView } from './post-view.tsx'

/** The page of one post: its whole image, its prompt and its author. */
export function PostPage() {
  const { i18n, t } = useLingui()
  const { id = '' } = useParams()
  const { data: post, error, refetch } = usePost(id)
  const [, navigate] = useLocation()
  usePostTitle(post)
  const shownId = useRef(post ? id : null)
  useEffect(() => {
    if (!post || shownId.current === id) return
    shownId.current = id
    // As after every navigation.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [post, id])
  if (post) {
    return (
      <PostView
        key={id}
        post={post}
        details={post}
        Title="h1"
        onDeleted={() => navigate(pagePaths.gallery)}
      />
    )
  }
  if (post === null) return <NotFoundPage />
  if (!error) return <Spinner label={t`Loading the post`} size="large" />
  return (
    <Notice action={<RetryButton onClick={() => void refetch()} />}>
      {failureMessage(error, i18n) ?? t`The post could not be loaded. Try again in a moment.`}
    </Notice>
  )
}
