import { useId } from 'react'
import { VisuallyHidden } from '../ui/text.tsx'
import { chooseLook, useLook } from './theme-setting.ts'
import { UnfoldIcon } from '../ui/icons.tsx'
import styles from './theme-picker.module.css'

/** Select for the theme. */
export function ThemePicker() {
  const look = useLook()
  const id = useId()
  return (
    <span className={styles['picker']}>
      <label htmlFor={id}>
        <VisuallyHidden>Theme</VisuallyHidden>
      </label>
      <svg viewBox="0 0 20 20" aria-hidden="true" className={styles['icon']}>
        <circle cx="10" cy="10" r="7" />
        <path d="M10 3a7 7 0 0 1 0 14z" />
      </svg>
      <select
        id={id}
        className={styles['select']}
        value={look ?? ''}
        onChange={(event) => chooseLook(event.target.value)}
      >
        <option value="">Automatic</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
        <option value="soft-dark">Soft dark</option>
        <option value="hc">High contrast</option>
      </select>
      <UnfoldIcon className={styles['arrow']} />
    </span>
  )
}
