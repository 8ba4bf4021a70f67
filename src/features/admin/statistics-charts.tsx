import { Trans, useLingui } from '@lingui/react/macro'
import { statisticsDays, type DayFigures } from '../../../shared/site-figures.ts'
import { failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DayChart } from './day-chart.tsx'
import overviewStyles from './overview.module.css'
import styles from './statistics-charts.module.css'

/** A figure of each day. */
interface Series {
  readonly title: string
  readonly valueOf: (day: DayFigures) => number
  readonly isBad?: boolean
}

/** Charts of the last 30 days, and the same figures as a table. */
export function StatisticsCharts() {
  const { t, i18n } = useLingui()
  const { data, error, refetch } = trpc.admin.statistics.useQuery()
  const series: readonly Series[] = [
    { title: t`Images`, valueOf: (day) => day.images },
    { title: t`Posts`, valueOf: (day) => day.posts },
    { title: t`New users`, valueOf: (day) => day.newUsers },
    { title: t`Failures`, valueOf: (day) => day.failures, isBad: true },
  ]
  return (
    <div className={overviewStyles['group']}>
      <h3 className={overviewStyles['heading']}>{t`The last ${statisticsDays} days`}</h3>
      <Notice action={<RetryButton onClick={() => void refetch()} />}>
        {error && (failureMessage(error, i18n) ?? t`The statistics could not be loaded.`)}
      </Notice>
      {data ? (
        <>
          <div className={styles['charts']}>
            {series.map(({ title, valueOf, isBad = false }) => (
              <DayChart
                key={title}
                title={title}
                days={data.map((day) => ({ day: day.day, value: valueOf(day) }))}
                isBad={isBad}
              />
            ))}
          </div>
          <p className={styles['note']}>
            <Trans>Days are in UTC. Posts are those that are in the gallery now.</Trans>
          </p>
          <FiguresTable days={data} series={series} />
        </>
      ) : (
        !error && <Skeleton shape="area" />
      )}
    </div>
  )
}

function FiguresTable({ days, series }: { days: readonly DayFigures[]; series: readonly Series[] }) {
  const { i18n } = useLingui()
  return (
    <details className={styles['details']}>
      <summary className={styles['summary']}>
        <Trans>Show as a table</Trans>
      </summary>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Day</Trans>
            </th>
            {series.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((figures) => (
            <tr key={figures.day}>
              <th scope="row">
                <time dateTime={figures.day}>
                  {i18n.date(figures.day, { dateStyle: 'medium', timeZone: 'UTC' })}
                </time>
              </th>
              {series.map(({ title, valueOf }) => (
                <td key={title}>{i18n.number(valueOf(figures))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
