import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { matchPath, pagePaths } from '../../../shared/routes.ts'
import { useTitle } from '../../api/use-title.ts'
import { pageHeading } from '../../browser/apis.ts'
import { Spinner } from '../../ui/loading.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { postTitle } from './post-texts.ts'
import { PostView, usePost } from './post-view.tsx'

/** The page of one post: its whole image, its prompt and its author. */
export function PostPage() {
  const { i18n, t } = useLingui()
  const [path, navigate] = useLocation()
  const id = matchPath(pagePaths.post, path) ?? ''
  const query = usePost(id)
  const post = query.data
  useTitle(post && postTitle(post, i18n))
  const shownId = useRef(post ? id : null)
  useEffect(() => {
    if (post === undefined || shownId.current === (post && id)) return
    shownId.current = post && id
    // As after every navigation, also if the post is gone.
    pageHeading()?.focus({ preventScroll: true })
  }, [post, id])
  if (post) {
    return <PostView key={id} post={post} details={post} onDeleted={() => navigate(pagePaths.gallery)} />
  }
  if (post === null) return <NotFoundPage />
  return (
    <QueryState
      query={query}
      failed={t`The post could not be loaded. Try again in a moment.`}
      placeholder={<Spinner label={t`Loading the post`} size="large" />}
    />
  )
}
