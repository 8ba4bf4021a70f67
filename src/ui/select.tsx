import type { ComponentProps } from 'react'
import styles from './select.module.css'

/** A list to choose one of, in a field of a form. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={styles['select']}>
      <select {...props} className={[className, styles['control']].filter(Boolean).join(' ')} />
      <svg viewBox="0 0 12 12" aria-hidden="true" className={styles['arrow']}>
        <path d="M2.5 4.5 6 8l3.5-3.5" />
      </svg>
    </span>
  )
}
