import { Link } from 'wouter'
import type { RelatedPosts } from '../../../shared/page-data.ts'
import type { Post } from '../../../shared/posts.ts'
import { authorPath, postPath } from '../../../shared/routes.ts'
import { SmallImage } from '../../images/image.tsx'
import { postTitle } from './post-title.ts'
import styles from './related-lists.module.css'
import { UserText } from '../../ui/user-text.tsx'

/** Remixes of a post, and other posts of its author. */
export function RelatedLists({ post, related }: { post: Post; related: RelatedPosts }) {
  const { remixes, moreByAuthor } = related
  if (remixes.length + moreByAuthor.length === 0) return null
  return (
    <div className={styles['lists']}>
      {remixes.length > 0 && (
        <section className={styles['section']}>
          <h2>Remixes</h2>
          <PostGrid posts={remixes} />
        </section>
      )}
      {moreByAuthor.length > 0 && (
        <section className={styles['section']}>
          <h2>
            More by{' '}
            <Link href={authorPath(post.authorId)}>
              <UserText text={post.name} />
            </Link>
          </h2>
          <PostGrid posts={moreByAuthor} />
        </section>
      )}
    </div>
  )
}

function PostGrid({ posts }: { posts: readonly Post[] }) {
  return (
    <ul className={styles['grid']}>
      {posts.map((post) => (
        <li key={post.id}>
          <Link href={postPath(post.id)} className={styles['link']} aria-label={postTitle(post)}>
            <SmallImage
              image={post}
              className={`${styles['image']} ${post.isSensitive ? styles['sensitive'] : ''}`}
            />
          </Link>
        </li>
      ))}
    </ul>
  )
}
