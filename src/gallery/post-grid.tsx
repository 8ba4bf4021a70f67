import type { ReactNode } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './post-grid.module.css'

/** The one list of the gallery: 1, 2, 3 or 4 columns. `isStale` while the posts for another search come. */
export function PostGrid({ isStale = false, children }: { isStale?: boolean; children: ReactNode }) {
  return (
    <ul className={styles['grid']} data-stale={isStale || undefined} aria-busy={isStale || undefined}>
      {children}
    </ul>
  )
}

/** As large as posts will be, so that nothing jumps when they come. */
export function PostGridSkeleton() {
  return (
    <div className={styles['grid']} aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={styles['placeholder']}>
          <Skeleton shape="square" />
        </div>
      ))}
    </div>
  )
}
