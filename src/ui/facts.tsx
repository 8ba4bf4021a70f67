import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** Facts about an entry of a list, in columns where there is space. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles['facts']}>{children}</dl>
}

/**
 * A fact with its label.
 *
 * @param props.isWide true if its value is long, such as a list
 * @param props.isBad true if it is a reason to act
 */
export function Fact(props: { label: string; isWide?: boolean; isBad?: boolean; children: ReactNode }) {
  const { label, isWide, isBad, children } = props
  return (
    <div
      className={[isWide && styles['wide'], isBad && styles['bad']].filter(Boolean).join(' ') || undefined}
    >
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
