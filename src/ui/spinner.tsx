import styles from './spinner.module.css'

/** Something is under way and nobody knows for how long. `label` says what. */
export function Spinner({ label, size = 'small' }: { label: string; size?: 'small' | 'large' }) {
  return <span role="progressbar" aria-label={label} className={`${styles['spinner']} ${styles[size]}`} />
}
