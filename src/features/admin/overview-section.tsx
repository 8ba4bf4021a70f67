import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState, type PointerEvent, type ReactNode } from 'react'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import {
  statisticsDays,
  type DayFigures,
  type EngineFigures,
  type SiteOverview,
} from '../../../shared/admin.ts'
import { trpc } from '../../api/trpc.ts'
import { DateTime, formatBytes } from '../../ui/formats.tsx'
import ui from '../../ui/primitives.module.css'
import { UserText } from '../../ui/user-text.tsx'
import { failureLabel } from './failure-labels.ts'
import { QueryState } from '../auth/call-failure.tsx'
import styles from './overview.module.css'

/** Time between two updates of the figures, in milliseconds. */
const refreshMs = 15_000

/** The same while the storage is measured. */
const measuringMs = 2_000

/** Number up to which posts that wait are counted. */
const countedReports = 100

/** The first section: current figures, engines, failures, and charts of the last 30 days. */
export function OverviewSection() {
  const { t } = useLingui()
  const query = trpc.admin.overview.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.storage.usedBytes === null ? measuringMs : refreshMs),
  })
  const { data } = query
  return (
    <div className={`${ui['stack']} ${styles['overview']}`}>
      <QueryState query={query} failed={t`The overview could not be loaded.`} />
      {data && <Overview overview={data} />}
      <StatisticsCharts />
      {data && <p className={ui['small']}>{t`Version ${data.version}`}</p>}
    </div>
  )
}

function Overview({ overview }: { overview: SiteOverview }) {
  const { t } = useLingui()
  return (
    <>
      <Figures overview={overview} />
      <Group title={t`Image engines in the last 24 hours`}>
        <ul className={`${ui['card']} ${styles['engines']}`}>
          {overview.engines.map((engine) => (
            <EngineItem key={engine.id} engine={engine} />
          ))}
        </ul>
      </Group>
      {overview.failures.length > 0 && <Failures failures={overview.failures} />}
    </>
  )
}

function Figures({ overview }: { overview: SiteOverview }) {
  const { t, i18n } = useLingui()
  const { users, activeToday, activeThisWeek, queue, storage, reportsWaiting, mailsWaiting } = overview
  const number = (value: number) => i18n.number(value)
  const { usedBytes, freeBytes } = storage
  const failed = overview.failures.reduce((sum, { images }) => sum + images, 0)
  const waiting =
    reportsWaiting >= countedReports ? t`${number(countedReports)} or more` : number(reportsWaiting)
  return (
    <dl className={styles['figures']}>
      <Figure
        name={t`Users`}
        value={number(users)}
        detail={t`Active today: ${number(activeToday)}, in 7 days: ${number(activeThisWeek)}`}
      />
      <Figure name={t`Posts in the gallery`} value={number(overview.posts)} />
      <Figure name={t`Images generated today`} value={number(overview.imagesToday)} />
      <Figure
        name={t({ message: 'Queue', context: 'of generations' })}
        value={t`${plural(queue.running, { one: '# running', other: '# running' })}`}
        detail={t`${plural(queue.waiting, { one: '# waiting', other: '# waiting' })}`}
      />
      <Figure
        name={t`Storage of images`}
        value={usedBytes === null ? '–' : formatBytes(usedBytes, i18n)}
        detail={
          usedBytes === null ? t`Measuring…` : freeBytes !== null && t`${formatBytes(freeBytes, i18n)} free`
        }
      />
      <Figure
        name={t`Reports and appeals`}
        value={waiting}
        detail={reportsWaiting > 0 && <Link href={pagePaths.moderation}>{t`Review them`}</Link>}
      />
      <Figure name={t`Failures in the last 24 hours`} value={number(failed)} />
      <Figure
        name={t`Mails to be sent`}
        value={mailsWaiting === null ? '–' : number(mailsWaiting)}
        detail={mailsWaiting === null && t`This site sends no mails.`}
      />
    </dl>
  )
}

function Figure({ name, value, detail }: { name: string; value: string; detail?: ReactNode }) {
  return (
    <div className={`${ui['card']} ${styles['figure']}`}>
      <dt className={ui['small']}>{name}</dt>
      <dd className={styles['value']}>{value}</dd>
      {detail && <dd className={ui['small']}>{detail}</dd>}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={`${ui['stack']} ${styles['group']}`}>
      <h3 className={styles['heading']}>{title}</h3>
      {children}
    </div>
  )
}

function EngineItem({ engine }: { engine: EngineFigures }) {
  const { t, i18n } = useLingui()
  const { isAvailable, succeeded, failed, failure } = engine
  return (
    <li className={styles['engine']}>
      <span className={styles['state']} data-available={isAvailable}>
        {isAvailable ? t`Available` : t`Not available`}
      </span>
      <UserText text={engine.label} className={ui['strong']} />
      <span className={styles['count']}>
        {t`${plural(succeeded, { one: '# image', other: '# images' })}`} ·{' '}
        {t`${plural(failed, { one: '# failure', other: '# failures' })}`}
      </span>
      {failure && (
        <span className={`${ui['small']} ${styles['failure']}`}>
          <Trans>
            Latest: {i18n._(failureLabel(failure.code))}, <DateTime at={failure.at} />
          </Trans>
        </span>
      )}
    </li>
  )
}

function Failures({ failures }: { failures: SiteOverview['failures'] }) {
  const { t, i18n } = useLingui()
  return (
    <Group title={t`Failures in the last 24 hours`}>
      <ul className={`${ui['card']} ${styles['engines']}`}>
        {failures.map(({ code, images }) => (
          <li key={code} className={ui['ends']}>
            <span>{i18n._(failureLabel(code))}</span>
            <span className={`${ui['strong']} ${styles['count']}`}>{i18n.number(images)}</span>
          </li>
        ))}
      </ul>
    </Group>
  )
}

/** A figure of each day. */
interface Series {
  readonly title: string
  readonly valueOf: (day: DayFigures) => number
  readonly isBad?: boolean
}

/** Charts of the last 30 days, and the same figures as a table. */
export function StatisticsCharts() {
  const { t } = useLingui()
  const query = trpc.admin.statistics.useQuery()
  const { data } = query
  const series: readonly Series[] = [
    { title: t`Images`, valueOf: (day) => day.images },
    { title: t`Posts`, valueOf: (day) => day.posts },
    { title: t`New users`, valueOf: (day) => day.newUsers },
    { title: t`Failures`, valueOf: (day) => day.failures, isBad: true },
  ]
  return (
    <Group title={t`The last ${statisticsDays} days`}>
      <QueryState query={query} failed={t`The statistics could not be loaded.`} />
      {data && (
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
          <p className={ui['small']}>{t`Days are in UTC. Posts are those that are in the gallery now.`}</p>
          <FiguresTable days={data} series={series} />
        </>
      )}
    </Group>
  )
}

function FiguresTable({ days, series }: { days: readonly DayFigures[]; series: readonly Series[] }) {
  const { t, i18n } = useLingui()
  return (
    <details>
      <summary className={styles['summary']}>{t`Show as a table`}</summary>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t`Day`}</th>
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

interface DayValue {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly value: number
}

/** Size of the drawing, which is stretched: 10 units for a day, of which 8 are its bar. */
const chartHeight = 100
const dayWidth = 10
const gap = 2

/** Height of the lowest bar, so that a day with few differs from one with none. */
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
    <figure className={`${ui['stack']} ${ui['card']} ${styles['chart']}`} aria-labelledby={headingId}>
      <figcaption className={`${ui['ends']} ${styles['caption']}`}>
        <span id={headingId} className={ui['strong']}>
          {title}
        </span>
        <span className={styles['total']} aria-hidden="true">
          {shown ? (
            <>
              <span className={`${ui['small']} ${styles['day']}`}>{format(shown.day)}</span>{' '}
              {i18n.number(shown.value)}
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
      <div className={`${ui['ends']} ${ui['quiet']} ${styles['axis']}`} aria-hidden="true">
        <span>{format(days[0]?.day ?? '')}</span>
        <span>{t`Today`}</span>
      </div>
    </figure>
  )
}
