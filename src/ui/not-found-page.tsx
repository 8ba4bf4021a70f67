import { Link } from 'wouter'
import { pagePaths } from '../../shared/routes.ts'
import { EmptyMotif } from './brand/empty-motif.tsx'
import { buttonClass } from './button.tsx'
import styles from './not-found-page.module.css'
import { PageHeading } from './page.tsx'

/** The page for unknown paths. */
export function NotFoundPage() {
  return (
    <div className={styles['page']}>
      <EmptyMotif />
      <PageHeading title="Page not found">This page does not exist. It may have moved.</PageHeading>
      <Link href={pagePaths.gallery} className={buttonClass('primary')}>
        Back to the gallery
      </Link>
    </div>
  )
}
