import type { ReactNode } from 'react'
import styles from './notice.module.css'

/**
 * What went wrong, readable until it is mended, and said aloud when it appears. Without children it is an
 * empty region: it must be in the page before its text is, or screen readers miss it.
 */
export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div role="alert" className={styles['region']}>
      {children && (
        <div className={styles['notice']}>
          <p className={styles['text']}>{children}</p>
          {action}
        </div>
      )}
    </div>
  )
}
