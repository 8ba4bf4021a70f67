import type { ReactNode } from 'react'
import styles from './confirmation.module.css'

/**
 * What has just been done, readable and said aloud. Without children it is an empty region: it must be in the
 * page before its text is, or screen readers miss it.
 */
export function Confirmation({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={styles['region']}>
      {children && (
        <p className={styles['text']}>
          <svg viewBox="0 0 16 16" aria-hidden="true" className={styles['mark']}>
            <path d="m3 8.5 3.5 3.5L13 4.5" />
          </svg>
          {children}
        </p>
      )}
    </div>
  )
}
