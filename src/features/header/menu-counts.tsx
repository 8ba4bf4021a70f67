import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { trpc } from '../../api/trpc.ts'
import styles from './menu-counts.module.css'

const shownMax = 99

/**
 * A number next to a menu item, or nothing for zero: of the posts that wait for an administrator, or of the user's hidden posts
 * that can be appealed.
 */
export function MenuCount({ of }: { of: 'hidden' | 'waiting' }) {
  return of === 'waiting' ? <WaitingCount /> : <HiddenCount />
}

function WaitingCount() {
  const { data = 0 } = trpc.moderation.countReported.useQuery()
  return <Count count={data} meaning="waiting" />
}

function HiddenCount() {
  const { data = [] } = trpc.moderation.notices.useQuery()
  return (
    <Count
      count={data.filter(({ state, appeal }) => state === 'hidden' && !appeal).length}
      meaning="hidden"
    />
  )
}

function Count({ count, meaning }: { count: number; meaning: 'hidden' | 'waiting' }) {
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
