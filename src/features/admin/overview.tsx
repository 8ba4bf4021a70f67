import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState, type PointerEvent, type ReactNode } from 'react'
import { Link } from 'wouter'
import { statisticsDays, type DayFigures, type SiteOverview } from '../../../shared/admin.ts'
import { adminPath } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { saveFile } from '../../browser/apis.ts'
import { useToast } from '../../ui/announcer.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { DateTime, Day, formatBytes } from '../../ui/formats.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { failureLabel } from './engines.tsx'
import styles from './overview.module.css'

/** Time between two updates of the figures, in milliseconds. */
const refreshMs = 15_000

/** The same while the storage is measured. */
const measuringMs = 2_000

/** Number up to which posts that wait are counted. */
const countedReports = 100

/** The first section: current figures, engines, failures, and charts of the last 30 days. */
export function Overview() {
  const { t } = useLingui()
  const query = trpc.admin.overview.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.storage.usedBytes === null ? measuringMs : refreshMs),
  })
  const { data } = query
  return (
    <div className={`stack ${styles['overview']}`}>
      <QueryState query={query} failed={t`The overview could not be loaded.`} />
      {data && <Figures overview={data} />}
      {data && <EnginesOfDay {...data} />}
      <StatisticsCharts />
      <TopUsers />
      {data && <p className="quiet small breakable">{t`Version ${data.version}`}</p>}
    </div>
  )
}

function Figures({ overview }: { overview: SiteOverview }) {
  const { t, i18n } = useLingui()
  const { users, activeToday, activeThisWeek, queue, storage, reportsWaiting, mailsWaiting } = overview
  const number = (value: number) => i18n.number(value)
  const { usedBytes, freeBytes } = storage
  const { spending } = overview
  const money = (amount: number) => i18n.number(amount, { style: 'currency', currency: 'USD' })
  const failed = overview.failures.reduce((sum, { images }) => sum + images, 0)
  const waiting =
    reportsWaiting >= countedReports ? t`${number(countedReports)} or more` : number(reportsWaiting)
  const figures: readonly (readonly [name: string, value: string, detail?: ReactNode])[] = [
    [t`Users`, number(users), t`Active today: ${number(activeToday)}, in 7 days: ${number(activeThisWeek)}`],
    [t`Posts in the gallery`, number(overview.posts)],
    [t`Images generated today`, number(overview.imagesToday)],
    ...(spending
      ? [
          [
            t`Spent on images this month`,
            money(spending.spent),
            <SpendingDetail
              key="spending"
              budget={spending.limit !== null && t`Budget: ${money(spending.limit)}`}
            />,
          ] as const,
        ]
      : []),
    [
      t({ message: 'Queue', context: 'of generations' }),
      t`${plural(queue.running, { one: '# running', other: '# running' })}`,
      t`${plural(queue.waiting, { one: '# waiting', other: '# waiting' })}`,
    ],
    [
      t`Storage of images`,
      usedBytes === null ? '–' : formatBytes(usedBytes, i18n),
      usedBytes === null ? t`Measuring…` : freeBytes !== null && t`${formatBytes(freeBytes, i18n)} free`,
    ],
    [
      t`Reports and appeals`,
      waiting,
      reportsWaiting > 0 && (
        <Link key="reports" href={adminPath('reports')}>
          {t`Review them`}
        </Link>
      ),
    ],
    [t`Failures in the last 24 hours`, number(failed)],
    [
      t`Mails to be sent`,
      mailsWaiting === null ? '–' : number(mailsWaiting),
      mailsWaiting === null && t`This site sends no mails.`,
    ],
  ]
  return (
    <dl className={styles['figures']}>
      {figures.map(([name, value, detail]) => (
        <div key={name} className={`stack tightest card padded ${styles['figure']}`}>
          <dt className="quiet small breakable">{name}</dt>
          <dd className={`tabular breakable ${styles['value']}`}>{value}</dd>
          {detail && <dd className="quiet small breakable">{detail}</dd>}
        </div>
      ))}
    </dl>
  )
}

/** The budget of the site, and the spending of the month as a file. */
function SpendingDetail({ budget }: { budget: ReactNode }) {
  const { t } = useLingui()
  const { client } = trpc.useUtils()
  const toast = useToast()

  async function download() {
    try {
      const { month, spending } = await client.admin.spending.query()
      const lines = spending.map(({ day, engine, userId, name, cost }) =>
        [day, engine, userId, csvText(name ?? ''), cost].join(','),
      )
      const text = ['day,engine,user,name,usd', ...lines, ''].join('\r\n')
      saveFile(new Blob([text], { type: 'text/csv' }), `spending-${month}.csv`)
    } catch {
      toast(t`The file could not be loaded. Try again in a moment.`)
    }
  }

  return (
    <>
      {budget}{' '}
      <button type="button" className="textButton underlinable" onClick={() => void download()}>
        <Trans>Download as CSV</Trans>
      </button>
    </>
  )
}

/** Quotes a text of a user, which spreadsheets must not take for a formula. */
function csvText(text: string): string {
  return `"${text.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="stack wider">
      <h2 className={styles['heading']}>{title}</h2>
      {children}
    </div>
  )
}

function EnginesOfDay({ engines, failures }: Pick<SiteOverview, 'engines' | 'failures'>) {
  const { t, i18n } = useLingui()
  return (
    <>
      <Group title={t`Image engines in the last 24 hours`}>
        <ul className={`card lined ${styles['engines']}`}>
          {engines.map(({ id, label, isAvailable, succeeded, failed, failure }) => (
            <li key={id} className={styles['engine']}>
              <span className={`small strong ${styles['state']}`} data-available={isAvailable}>
                {isAvailable ? t`Available` : t`Not available`}
              </span>
              <UserText text={label} className="name" />
              <span className="tabular">
                {t`${plural(succeeded, { one: '# image', other: '# images' })}`} ·{' '}
                {t`${plural(failed, { one: '# failure', other: '# failures' })}`}
              </span>
              {failure && (
                <span className={`small breakable ${styles['failure']}`}>
                  <Trans>
                    Latest: {i18n._(failureLabel(failure.code))}, <DateTime at={failure.at} />
                  </Trans>
                </span>
              )}
            </li>
          ))}
        </ul>
      </Group>
      {failures.length > 0 && (
        <Group title={t`Failures in the last 24 hours`}>
          <ul className={`card lined ${styles['engines']}`}>
            {failures.map(({ code, images }) => (
              <li key={code} className="ends">
                <span>{i18n._(failureLabel(code))}</span>
                <span className="name tabular">{i18n.number(images)}</span>
              </li>
            ))}
          </ul>
        </Group>
      )}
    </>
  )
}

/** The users with the most storage. */
function TopUsers() {
  const { t, i18n } = useLingui()
  const { data } = trpc.admin.users.list.useQuery(
    { sort: 'storedBytes', limit: 5 },
    { refetchOnWindowFocus: false },
  )
  const users = data?.users.filter(({ storedBytes }) => storedBytes > 0) ?? []
  if (users.length === 0) return null
  return (
    <Group title={t`Users with the most storage`}>
      <ul className={`card lined ${styles['engines']}`}>
        {users.map(({ id, name, images, storedBytes }) => (
          <li key={id} className="ends">
            <UserText text={name || id} className="name" />
            <span className="tabular">
              {t`${plural(images, { one: '# image', other: '# images' })}`} · {formatBytes(storedBytes, i18n)}
            </span>
          </li>
        ))}
      </ul>
    </Group>
  )
}

/** A figure of each day. */
interface Series {
  readonly title: string
  readonly of: Exclude<keyof DayFigures, 'day'>
}

/** Charts of the last 30 days, and the same figures as a table. */
function StatisticsCharts() {
  const { t } = useLingui()
  const query = trpc.admin.statistics.useQuery()
  const { data } = query
  const series: readonly Series[] = [
    { title: t`Images`, of: 'images' },
    { title: t`Posts`, of: 'posts' },
    { title: t`New users`, of: 'newUsers' },
    { title: t`Failures`, of: 'failures' },
  ]
  return (
    <Group title={t`The last ${statisticsDays} days`}>
      <QueryState query={query} failed={t`The statistics could not be loaded.`} />
      {data && (
        <>
          <div className={styles['charts']}>
            {series.map(({ title, of }) => (
              <DayChart key={title} title={title} days={data} of={of} />
            ))}
          </div>
          <p className="quiet small breakable">{t`Days are in UTC. Posts are those that are in the gallery now.`}</p>
          <FiguresTable days={data} series={series} />
        </>
      )}
    </Group>
  )
}

function FiguresTable({ days, series }: { days: readonly DayFigures[]; series: readonly Series[] }) {
  const { t } = useLingui()
  return (
    <details>
      <summary className={styles['summary']}>{t`Show as a table`}</summary>
      <DataTable
        label={t`The last ${statisticsDays} days`}
        columns={useFigureColumns(series)}
        rows={days.toReversed()}
        rowKey={({ day }) => day}
      />
    </details>
  )
}

function useFigureColumns(series: readonly Series[]): readonly Column<DayFigures>[] {
  const { t, i18n } = useLingui()
  return [
    { title: t`Day`, cell: ({ day }) => <Day at={day} /> },
    ...series.map(({ title, of }) => ({
      title,
      isNumber: true,
      cell: (figures: DayFigures) => i18n.number(figures[of]),
    })),
  ]
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
function DayChart({ title, days, of }: Series & { days: readonly DayFigures[] }) {
  const { t, i18n } = useLingui()
  const headingId = useId()
  const [pointed, setPointed] = useState<number | null>(null)
  const total = days.reduce((sum, day) => sum + day[of], 0)
  const best = days.reduce<DayFigures | undefined>(
    (most, day) => (most && most[of] >= day[of] ? most : day),
    undefined,
  )
  const most = best?.[of] ?? 0
  const format = (day = '') => i18n.date(day, { day: 'numeric', month: 'short', timeZone: 'UTC' })
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
      : t`${title}: ${i18n.number(total)} in this time, the most on ${format(best?.day)}: ${i18n.number(most)}.`
  return (
    <figure className="stack tight card padded" aria-labelledby={headingId}>
      <figcaption className={`ends ${styles['caption']}`}>
        <span id={headingId} className="name">
          {title}
        </span>
        <span className={`tabular ${styles['total']}`} aria-hidden="true">
          {shown && <span className={`quiet small breakable ${styles['day']}`}>{format(shown.day)}</span>}{' '}
          {i18n.number(shown ? shown[of] : total)}
        </span>
      </figcaption>
      <div className={styles['plot']} data-bad={of === 'failures'}>
        {total > 0 && (
          <span className={styles['scale']} aria-hidden="true">
            {i18n.number(most)}
          </span>
        )}
        {most > 1 && (
          <span className={`${styles['scale']} ${styles['half']}`} aria-hidden="true">
            {i18n.number(most / 2)}
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
          {days.map(({ day, [of]: value }, index) => {
            const height = value === 0 ? 0 : Math.max(lowestBar, (value / most) * chartHeight)
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
      <div className={`ends quiet ${styles['axis']}`} aria-hidden="true">
        <span>{format(days[0]?.day)}</span>
        <span>{format(days[days.length / 2]?.day)}</span>
        <span>{t`Today`}</span>
      </div>
    </figure>
  )
}
