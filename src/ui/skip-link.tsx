import type { ReactNode } from 'react'
import styles from './skip-link.module.css'

/** A link that is visible while it has the focus, and moves it to the element with the id `to`, past what is between. */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={`#${to}`} className={styles['skip']}>
      {children}
    </a>
  )
}
