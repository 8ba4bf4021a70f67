import { useId, type ReactNode } from 'react'
import { Icon, UnfoldIcon } from './icons.tsx'
import styles from './icon-select.module.css'
import { VisuallyHidden } from './text.tsx'

/** A select in the header. Narrow screens, and browsers without `field-sizing`, show its icon only. */
export function IconSelect(props: {
  label: string
  icon: ReactNode
  value: string
  onChange: (value: string) => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <span className={styles['picker']}>
      <label htmlFor={id}>
        <VisuallyHidden>{props.label}</VisuallyHidden>
      </label>
      <Icon className={styles['icon']}>{props.icon}</Icon>
      <select
        id={id}
        className={`hoverable ${styles['select']}`}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      >
        {props.children}
      </select>
      <UnfoldIcon className={styles['arrow']} />
    </span>
  )
}
