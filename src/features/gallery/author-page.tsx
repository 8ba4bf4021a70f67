import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ListAddress } from '../../../shared/page-data.ts'
import type { Author } from '../../../shared/posts.ts'
import { nullIfMissing } from '../../api/missing.ts'
import { pageKeys } from '../../api/page-data.ts'
import { trpc } from '../../api/trpc.ts'
import { useTitle } from '../../api/use-title.ts'
import { Spinner } from '../../ui/loading.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { pageClass, PageHeading } from '../../ui/page.tsx'
import styles from '../../ui/page.module.css'
import { UserText } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { PostList } from './post-list.tsx'
import { useGallery, useListAddress } from './use-gallery.ts'

/** The page of an author: their posts, and a search in them. */
export function AuthorPage() {
  const { t } = useLingui()
  const address = useListAddress()
  const { client } = trpc.useUtils()
  const authorId = address.authorId ?? ''
  const query = useQuery<Author | null>({
    queryKey: pageKeys.author(authorId),
    queryFn: ({ signal }) => nullIfMissing(client.posts.author.query({ authorId }, { signal })),
  })
  const author = query.data
  if (author) return <AuthorPosts key={author.authorId} name={author.name} address={address} />
  if (author === null) return <NotFoundPage />
  return (
    <QueryState
      query={query}
      failed={t`The author could not be loaded. Try again in a moment.`}
      placeholder={<Spinner label={t`Loading the posts of the author`} size="large" />}
    />
  )
}

function AuthorPosts({ name, address }: { name: string; address: ListAddress }) {
  const gallery = useGallery(address)
  useTitle(name)
  return (
    <div className={pageClass}>
      <div className={styles['top']}>
        <PageHeading title={<UserText text={name} />}>
          <Trans>
            Images that <UserText text={name} /> shared.
          </Trans>
        </PageHeading>
      </div>
      <PostList address={address} gallery={gallery} />
    </div>
  )
}
