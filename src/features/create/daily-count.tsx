import { useLingui } from '@lingui/react/macro'
import type { Quota } from '../../../shared/images.ts'
import styles from './create-form.module.css'
import { elementIds } from './element-ids.ts'
import { useDailyCount } from './use-daily-count.ts'

/** Number of remaining images from which on it is shown. */
const fewLeft = 3

/** Number of images generated today, and the time at which the count resets. */
export function DailyCount() {
  const { i18n, t } = useLingui()
  const quota = useDailyCount()
  const used = quota ? i18n.number(quota.used) : '…'
  return (
    <div id={elementIds.dailyCount} className={styles['count']}>
      <p>{t`Generated today: ${used}`}</p>
      {quota && <Reset quota={quota} />}
    </div>
  )
}

function Reset({ quota }: { quota: Quota }) {
  const { i18n, t } = useLingui()
  const left = Math.max(0, quota.limit - quota.used)
  const leftToday = i18n.number(left)
  const limit = i18n.number(quota.limit)
  const time = i18n.date(quota.resetsAt, { hour: 'numeric', minute: '2-digit' })
  return (
    <p className={styles['reset']}>
      {left <= fewLeft
        ? t`${leftToday} left today; starts again at ${time}`
        : t`${limit} a day; starts again at ${time}`}
    </p>
  )
}
