import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import styles from './count.module.css'

const shownMax = 99

/** A number next to a link, or nothing for zero. */
export function Count({ count, meaning }: { count: number; meaning: 'hidden' | 'waiting' }) {
  const { t } = useLingui()
  if (count === 0) return null
  const shown = count > shownMax ? `${shownMax}+` : String(count)
  const label =
    meaning === 'waiting'
      ? t`${plural(count, { one: `${shown} waiting`, other: `${shown} waiting` })}`
      : t`${plural(count, { one: `${shown} hidden`, other: `${shown} hidden` })}`
  return (
    <span className={styles['count']} role="img" aria-label={label}>
      {shown}
    </span>
  )
}
