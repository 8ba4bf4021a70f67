import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import styles from './notice.module.css'

/** An error message, announced by screen readers when it appears; nothing without children. */
export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    children && (
      <div role="alert" className={`row centered ${styles['notice']}`}>
        <p className={`breakable ${styles['noticeText']}`}>{children}</p>
        {action}
      </div>
    )
  )
}

/**
 * A success message, announced by screen readers. Render it without children until then: unlike an alert, a status must be in
 * the page before its text.
 */
export function Confirmation({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={styles['region']}>
      {children && (
        <p className="beside tight">
          <Icon size={16} className={styles['mark']} path="m3 8.5 3.5 3.5L13 4.5" />
          <span>{children}</span>
        </p>
      )}
    </div>
  )
}
