import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { ListAddress } from '../../../shared/page-data.ts'
import { listPath } from '../../api/list-address.ts'
import { OrderLinks } from './order-links.tsx'
import styles from './post-list.module.css'
import { ResultCount, Results } from './results.tsx'
import { SearchForm } from './search-form.tsx'
import type { Gallery } from './use-gallery.ts'
import { useWholeImages, WholeImagesButton } from './whole-images.tsx'
import { UserText } from '../../ui/user-text.tsx'

/** A list of posts with its search, its number and its order. The search stays in reach when the page is scrolled. */
export function PostList({ address, gallery }: { address: ListAddress; gallery: Gallery }) {
  const { t } = useLingui()
  const [isWhole, toggleWhole] = useWholeImages()
  const { search: term } = address
  const isEmptySite = gallery.firstPage?.total === 0 && address.order === 'new' && !term
  return (
    <div className={styles['list']}>
      <div className={styles['toolbar']}>
        <SearchForm />
        <div className={styles['bar']}>
          <ResultCount total={gallery.firstPage ? gallery.total : null} isLoading={gallery.isLoading} />
          {!isEmptySite && (
            <>
              <OrderLinks address={address} />
              <WholeImagesButton isWhole={isWhole} onToggle={toggleWhole} />
            </>
          )}
        </div>
      </div>
      {term && (
        <h2 className={styles['term']}>
          <Trans>
            Results for <UserText text={term} />
          </Trans>
        </h2>
      )}
      {address.cursor !== null && (
        <Link href={listPath({ ...address, cursor: null })}>
          {address.order === 'new' ? t`Back to the newest posts` : t`Back to the most liked posts`}
        </Link>
      )}
      <Results gallery={gallery} showsWhole={isWhole} />
    </div>
  )
}
