import type { ReactNode } from 'react'
import styles from './webhooks.module.css'

/**
 * A fact of a list.
 *
 * @param props.isWide takes a line of its own
 */
export function Fact(props: { label: string; isWide?: boolean; isBad?: boolean; children: ReactNode }) {
  const { isWide = false, isBad = false } = props
  return (
    <div
      className={[isWide && styles['wide'], isBad && styles['bad']].filter(Boolean).join(' ') || undefined}
    >
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
