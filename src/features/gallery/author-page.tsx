import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ListAddress } from '../../../shared/page-data.ts'
import { authorQuery } from '../../api/authors.ts'
import { failureMessage } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/loading.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page.tsx'
import styles from '../../ui/page.module.css'
import { useGallery, useListAddress } from './use-gallery.ts'
import { PostList } from './post-list.tsx'
import { UserText } from '../../ui/user-text.tsx'

/** The page of an author: their posts, and a search in them. */
export function AuthorPage() {
  const { i18n, t } = useLingui()
  const address = useListAddress()
  const { data: author, error, refetch } = useQuery(authorQuery(trpc.useUtils(), address.authorId ?? ''))
  if (author) return <AuthorPosts key={author.authorId} name={author.name} address={address} />
  if (author === null) return <NotFoundPage />
  if (!error) return <Spinner label={t`Loading the posts of the author`} size="large" />
  return (
    <Notice action={<RetryButton onClick={() => void refetch()} />}>
      {failureMessage(error, i18n) ?? t`The author could not be loaded. Try again in a moment.`}
    </Notice>
  )
}

function AuthorPosts({ name, address }: { name: string; address: ListAddress }) {
  const site = useSite()
  const gallery = useGallery(address)
  useEffect(() => {
    document.title = `${name} — ${site.name}`
  }, [name, site.name])
  return (
    <div className={styles['page']}>
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
