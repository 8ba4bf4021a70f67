import type { ReactNode } from 'react'
import styles from './checkbox.module.css'

/** A checkbox and its label. */
export function Checkbox(props: {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  children: ReactNode
}) {
  return (
    <label className={styles['label']}>
      <input
        type="checkbox"
        checked={props.isChecked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.children}
    </label>
  )
}
