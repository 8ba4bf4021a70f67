import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

const shownMax = 99

/** A number next to a link, or nothing for zero. */
export function Count({ count, meaning }: { count: number; meaning: 'hidden' | 'unread' | 'waiting' }) {
  const { t } = useLingui()
  if (count === 0) return null
  const shown = count > shownMax ? `${shownMax}+` : String(count)
  const labels = {
    hidden: t`${plural(count, { one: `${shown} hidden`, other: `${shown} hidden` })}`,
    unread: t`${plural(count, { one: `${shown} unread`, other: `${shown} unread` })}`,
    waiting: t`${plural(count, { one: `${shown} waiting`, other: `${shown} waiting` })}`,
  }
  return (
    <span className="count" role="img" aria-label={labels[meaning]}>
      {shown}
    </span>
  )
}
