import { Skeleton } from '../../ui/loading.tsx'
import styles from './account.module.css'

/** Placeholder of the size of the first sections. */
export function AccountSkeleton() {
  return (
    <div className={styles['sections']} aria-hidden="true">
      {[1, 2, 3].map((section) => (
        <div key={section} className={styles['section']}>
          <div className={styles['about']}>
            <Skeleton shape="line" />
          </div>
          <div className={styles['form']}>
            <Skeleton shape="line" />
            <Skeleton shape="control" />
            <Skeleton shape="line" />
            <Skeleton shape="control" />
            <Skeleton shape="pill" />
          </div>
        </div>
      ))}
    </div>
  )
}
