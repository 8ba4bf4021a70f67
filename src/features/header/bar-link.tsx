import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { Icon } from '../../ui/icons.tsx'
import styles from './bottom-bar.module.css'

/** A link of the bar at the bottom of phones. */
export function BarLink(props: {
  href: string
  label: string
  title?: string | undefined
  icon: ReactNode
  isPrimary?: boolean
  children?: ReactNode
}) {
  const isCurrent = useLocation()[0] === props.href
  return (
    <Link
      href={props.href}
      className={`insetFocus ${styles['link']}`}
      data-primary={props.isPrimary}
      title={props.title}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span className={`marked ${styles['icon']}`}>
        <Icon>{props.icon}</Icon>
        {!isCurrent && props.children}
      </span>
      <span className="ellipsis">{props.label}</span>
    </Link>
  )
}
