import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useLocation, useParams } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { useTitle } from '../../api/use-title.ts'
import { pageHeading } from '../../browser/apis.ts'
import { lazyPages } from '../../pages.tsx'
import { Spinner } from '../../ui/loading.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { postTitle } from './post-texts.ts'
import { PostView, usePost } from './post-view.tsx'

/** The page of one post: its whole image, its prompt and its author. */
export function PostPage() {
  const { i18n, t } = useLingui()
  const { id = '' } = useParams()
  const query = usePost(id)
  const post = query.data
  const [, navigate] = useLocation()
  useTitle(post && postTitle(post, i18n))
  const shownId = useRef(post ? id : null)
  useEffect(() => {
    if (!post || shownId.current === id) return
    shownId.current = id
    // As after every navigation.
    pageHeading()?.focus({ preventScroll: true })
  }, [post, id])
  if (post) {
    return <PostView key={id} post={post} details={post} onDeleted={() => navigate(pagePaths.gallery)} />
  }
  if (post === null) return <lazyPages.notFound />
  return (
    <QueryState
      query={query}
      failed={t`The post could not be loaded. Try again in a moment.`}
      placeholder={<Spinner label={t`Loading the post`} size="large" />}
    />
  )
}
