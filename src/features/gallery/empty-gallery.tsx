import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { EmptyMotif } from '../../ui/brand/empty-motif.tsx'
import { buttonClass } from '../../ui/button.tsx'
import styles from './empty-gallery.module.css'

/** Stands where posts would be, and shows a way on. */
export function EmptyGallery({ isSearch }: { isSearch: boolean }) {
  return (
    <section className={styles['card']}>
      <EmptyMotif />
      <h2 className={styles['title']}>{isSearch ? 'No Search Results Found' : 'No Posts Yet'}</h2>
      <p className={styles['text']}>Try changing your search or create a new post.</p>
      <div className={styles['ways']}>
        {isSearch && (
          <Link href={pagePaths.gallery} className={buttonClass('plain')}>
            Show all posts
          </Link>
        )}
        <Link href={pagePaths.create} className={buttonClass('primary')}>
          Make an image
        </Link>
      </div>
    </section>
  )
}
