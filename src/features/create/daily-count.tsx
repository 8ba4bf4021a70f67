import styles from './create-form.module.css'
import { useDailyCount } from './use-daily-count.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

/** How many images were made today, and when the count starts again. */
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
