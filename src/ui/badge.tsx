import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** A short label next to a name, such as a role or a state. */
export function Badge({ tone, children }: { tone?: 'accent' | 'danger' | undefined; children: ReactNode }) {
  return (
    <span className={`quiet small strong ${styles['badge']} ${tone ? styles[tone] : ''}`}>{children}</span>
  )
}
