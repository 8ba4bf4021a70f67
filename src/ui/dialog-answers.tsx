import type { ReactNode } from 'react'
import styles from './dialog.module.css'

/** The buttons at the end of a dialog, the one that goes on last. */
export function DialogResponses({ children }: { children: ReactNode }) {
  return <div className={styles['answers']}>{children}</div>
}
