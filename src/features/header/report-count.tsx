import { trpc } from '../../api/trpc.ts'
import styles from './report-count.module.css'

const shownMax = 99

/** Number of posts that wait for an administrator; nothing if there are none. */
export function ReportCount() {
  const { data: count = 0 } = trpc.moderation.countReported.useQuery()
  if (count === 0) return null
  return (
    <span className={styles['count']} aria-label={`${Math.min(count, shownMax)} waiting`} role="img">
      {count > shownMax ? `${shownMax}+` : count}
    </span>
  )
}
