import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { RelatedPosts } from '../../../shared/page-data.ts'
import type { Post } from '../../../shared/posts.ts'
import { authorPath, postPath } from '../../../shared/routes.ts'
import { SmallImage } from '../../images/image.tsx'
import { postTitle } from './post-title.ts'
import styles from './related-lists.module.css'
import { useLanguageOf, UserText } from '../../ui/user-text.tsx'

/** Remixes of a post, and other posts of its author. */
export function RelatedLists({ post, related }: { post: Post; related: RelatedPosts }) {
  const { t } = useLingui()
  const { remixes, moreByAuthor } = related
  if (remixes.length + moreByAuthor.length === 0) return null
  return (
    <div className={styles['lists']}>
      {remixes.length > 0 && (
        <section className={styles['section']}>
          <h2>{t`Remixes`}</h2>
          <PostGrid posts={remixes} />
        </section>
      )}
      {moreByAuthor.length > 0 && (
        <section className={styles['section']}>
          <h2>
            <Trans>
              More by{' '}
              <Link href={authorPath(post.authorId)}>
                <UserText text={post.name} />
              </Link>
            </Trans>
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
          <PostLink post={post} />
        </li>
      ))}
    </ul>
  )
}

function PostLink({ post }: { post: Post }) {
  const { i18n } = useLingui()
  return (
    <Link
      href={postPath(post.id)}
      className={styles['link']}
      lang={useLanguageOf(post.prompt)}
      aria-label={postTitle(post, i18n)}
    >
      <SmallImage
        image={post}
        className={`${styles['image']} ${post.isSensitive ? styles['sensitive'] : ''}`}
      />
    </Link>
  )
}
