import { Link } from 'wouter'
import { listPath } from '../../api/list-address.ts'
import type { ListAddress } from '../../../shared/page-data.ts'
import { OrderLinks } from './order-links.tsx'
import styles from './post-list.module.css'
import { ResultCount, Results } from './results.tsx'
import type { Gallery } from './use-gallery.ts'

/** A list of posts with its search term, its number and its order. */
export function PostList({ address, gallery }: { address: ListAddress; gallery: Gallery }) {
  return (
    <div className={styles['results']}>
      {address.search && <h2 className={styles['term']}>{`Results for ${address.search}`}</h2>}
      <div className={styles['bar']}>
        <ResultCount total={gallery.firstPage ? gallery.total : null} isLoading={gallery.isLoading} />
        <OrderLinks address={address} />
      </div>
      {address.cursor !== null && (
        <Link href={listPath({ ...address, cursor: null })}>
          {address.order === 'new' ? 'Back to the newest posts' : 'Back to the most liked posts'}
        </Link>
      )}
      <Results gallery={gallery} />
    </div>
  )
}
