import styles from './create-form.module.css'
import { elementIds } from './element-ids.ts'
import { useDailyCount } from './use-daily-count.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

/** Number of remaining images from which on it is shown. */
const fewLeft = 3

/** Number of images generated today, and the time at which the count resets. */
export function DailyCount() {
  const quota = useDailyCount()
  const left = quota && Math.max(0, quota.limit - quota.used)
  return (
    <div id={elementIds.dailyCount} className={styles['count']}>
      <p>{`Generated today: ${quota?.used ?? '…'}`}</p>
      {quota && (
        <p
          className={styles['reset']}
        >{`${left !== null && left <= fewLeft ? `${left} left today` : `${quota.limit} a day`}; starts again at ${clock.format(new Date(quota.resetsAt))}`}</p>
      )}
    </div>
  )
}
