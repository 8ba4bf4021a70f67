import type { ComponentProps } from 'react'
import { UnfoldIcon } from './icons.tsx'
import styles from './select.module.css'

/** A list to choose one of, in a field of a form. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={styles['select']}>
      <select {...props} className={[className, styles['control']].filter(Boolean).join(' ')} />
      <UnfoldIcon className={styles['arrow']} />
    </span>
  )
}
