import styles from './create-form.module.css'
import { useDailyCount } from './use-daily-count.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

/** Number of images generated today, and the time at which the count resets. */
export function DailyCount() {
  const quota = useDailyCount()
  return (
    <div className={styles['count']}>
      <p>{`Generated today: ${quota?.used ?? '…'}`}</p>
      {quota && (
        <p
          className={styles['reset']}
        >{`${quota.limit} a day; starts again at ${clock.format(new Date(quota.resetsAt))}`}</p>
      )}
    </div>
  )
}
