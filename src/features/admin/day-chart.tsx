import { useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { PointerEvent } from 'react'
import styles from './statistics-charts.module.css'

interface DayValue {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly value: number
}

/** Size of the drawing, which is stretched: 10 units for a day, of which 8 are its bar. */
const chartHeight = 100
const dayWidth = 10
const gap = 2

/** Height of the lowest bar, so that a day with few is told from one with none. */
const lowestBar = 3

/**
 * Bars of the value of each day, the earliest at the start of the line. Screen readers hear a summary; the values are in the
 * table next to the charts. The day under the pointer is shown above.
 */
export function DayChart({
  title,
  days,
  isBad,
}: {
  title: string
  days: readonly DayValue[]
  /** True if more is worse. */
  isBad: boolean
}) {
  const { t, i18n } = useLingui()
  const headingId = useId()
  const [pointed, setPointed] = useState<number | null>(null)
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const most = days.reduce(
    (best, day) => (day.value > best.value ? day : best),
    days[0] ?? { day: '', value: 0 },
  )
  const format = (day: string) => i18n.date(day, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const shown = pointed === null ? undefined : days[pointed]

  function point(event: PointerEvent<SVGSVGElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const part = (event.clientX - left) / width
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    setPointed(Math.max(0, Math.min(days.length - 1, Math.floor((isRtl ? 1 - part : part) * days.length))))
  }

  const summary =
    total === 0
      ? t`${title}: none in this time.`
      : t`${title}: ${i18n.number(total)} in this time, the most on ${format(most.day)}: ${i18n.number(most.value)}.`
  return (
    <figure className={styles['chart']} aria-labelledby={headingId}>
      <figcaption className={styles['caption']}>
        <span id={headingId} className={styles['title']}>
          {title}
        </span>
        <span className={styles['total']} aria-hidden="true">
          {shown ? (
            <>
              <span className={styles['day']}>{format(shown.day)}</span> {i18n.number(shown.value)}
            </>
          ) : (
            i18n.number(total)
          )}
        </span>
      </figcaption>
      <div className={styles['plot']} data-bad={isBad}>
        {total > 0 && (
          <span className={styles['scale']} aria-hidden="true">
            {i18n.number(most.value)}
          </span>
        )}
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${days.length * dayWidth} ${chartHeight}`}
          preserveAspectRatio="none"
          className={styles['bars']}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(null)}
        >
          {days.map(({ day, value }, index) => {
            const height = value === 0 ? 0 : Math.max(lowestBar, (value / most.value) * chartHeight)
            return (
              <rect
                key={day}
                x={index * dayWidth + gap / 2}
                y={chartHeight - height}
                width={dayWidth - gap}
                height={height}
                data-pointed={index === pointed}
              />
            )
          })}
        </svg>
      </div>
      <div className={styles['axis']} aria-hidden="true">
        <span>{format(days[0]?.day ?? '')}</span>
        <span>{t`Today`}</span>
      </div>
    </figure>
  )
}
