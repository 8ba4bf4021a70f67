import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import type { PostDetails } from '../../../shared/posts.ts'
import { postPath } from '../../../shared/routes.ts'
import { describeFailure } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import styles from './post-page.module.css'
import { postTitle } from './post-title.ts'
import { usePost } from './use-post.ts'

/** The page of one post: its whole image, its prompt and its author. */
export function PostPage() {
  const { id = '' } = useParams()
  const { data: post, error, refetch } = usePost(id)
  if (post) return <Post post={post} />
  if (post === null) return <NotFoundPage />
  if (!error) return <Spinner label="Loading the post" size="large" />
  return (
    <Notice action={<Button onClick={() => void refetch()}>Try again</Button>}>
      {describeFailure(error).message ?? 'The post could not be loaded. Try again in a moment.'}
    </Notice>
  )
}

function Post({ post }: { post: PostDetails }) {
  const title = postTitle(post)
  const { name } = useSite()
  useEffect(() => {
    document.title = `${title} — ${name}`
  }, [title, name])
  return (
    <article className={styles['post']}>
      <img className={styles['image']} src={post.photo} width={post.width} height={post.height} alt={title} />
      <h1 tabIndex={-1}>{title}</h1>
      <p>{post.name}</p>
      {post.parent && <Link href={postPath(post.parent)}>Remix of another post</Link>}
    </article>
  )
}
