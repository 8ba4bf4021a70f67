import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState, type CSSProperties, type PointerEvent, type ReactNode } from 'react'
import { Link } from 'wouter'
import { statisticsDays } from '../../../shared/admin.ts'
import { adminPath } from '../../../shared/routes.ts'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { saveFile } from '../../browser/apis.ts'
import { engineLabel } from '../../images/image.tsx'
import { DataTable, useSortedRows, type Column } from '../../ui/data-table.tsx'
import { formatBytes, formatDollars } from '../../ui/formats.tsx'
import { Day, UserText } from '../../ui/text.tsx'
import { QueryState, useCall } from '../auth/call-failure.tsx'
import { EngineState, failureLabel, LatestFailure } from './engines.tsx'
import styles from './overview.module.css'

/** Time between two updates of the figures, in milliseconds. */
const refreshMs = 15_000

/** The same while the storage is measured. */
const measuringMs = 2_000

/** Number up to which posts that wait are counted. */
const countedReports = 100

type SiteOverview = RouterOutputs['admin']['overview']
type DayFigures = RouterOutputs['admin']['statistics'][number]

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
      {/* After the figures, which would move them. */}
      {!query.isPending && <StatisticsCharts />}
      {!query.isPending && <TopUsers />}
      {data && <p className="quiet small breakable">{t`Version ${data.version}`}</p>}
    </div>
  )
}

function Figures({ overview }: { overview: SiteOverview }) {
  const { t, i18n } = useLingui()
  const { users, activeToday, activeThisWeek, queue, spending, reportsWaiting, mailsWaiting } = overview
  const { usedBytes, freeBytes } = overview.storage
  const number = (value: number) => i18n.number(value)
  const money = (amount: number) => formatDollars(amount, i18n)
  const failed = overview.failures.reduce((sum, { images }) => sum + images, 0)
  const figures: readonly (readonly [name: string, value: string, detail?: ReactNode] | null)[] = [
    [t`Users`, number(users), t`Active today: ${number(activeToday)}, in 7 days: ${number(activeThisWeek)}`],
    [t`Posts in the gallery`, number(overview.posts)],
    [t`Images generated today`, number(overview.imagesToday)],
    spending && [
      t`Spent on images this month`,
      money(spending.spent),
      <SpendingDetail
        key="spending"
        budget={spending.limit !== null && t`Budget: ${money(spending.limit)}`}
      />,
    ],
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
      reportsWaiting >= countedReports ? t`${number(countedReports)} or more` : number(reportsWaiting),
      reportsWaiting > 0 && <Link key="reports" href={adminPath('reports')}>{t`Review them`}</Link>,
    ],
    [t`Failures in the last 24 hours`, number(failed)],
    mailsWaiting === null
      ? [t`Mails to be sent`, '–', t`This site sends no mails.`]
      : [t`Mails to be sent`, number(mailsWaiting)],
  ]
  return (
    <dl className={styles['figures']}>
      {figures.map(
        (figure) =>
          figure && (
            <div key={figure[0]} className={`stack tightest card padded ${styles['figure']}`}>
              <dt className="quiet small breakable">{figure[0]}</dt>
              <dd className={`tabular breakable ${styles['value']}`}>{figure[1]}</dd>
              {figure[2] && <dd className="quiet small breakable">{figure[2]}</dd>}
            </div>
          ),
      )}
    </dl>
  )
}

/** The budget of the site, and the spending of the month as a file. */
function SpendingDetail({ budget }: { budget: ReactNode }) {
  const { t } = useLingui()
  const { client } = trpc.useUtils()
  const failed = t`The file could not be loaded. Try again in a moment.`
  const { run } = useCall(failed, undefined, { isFailureToasted: true })

  async function download() {
    const { month, spending } = await client.admin.spending.query()
    const lines = spending.map(({ day, engine, userId, name, cost }) =>
      [day, engine, userId, csvText(name ?? ''), cost].join(','),
    )
    const text = ['day,engine,user,name,usd', ...lines, ''].join('\r\n')
    // Spreadsheets need the mark to read names in UTF-8.
    saveFile(new Blob(['\ufeff', text], { type: 'text/csv' }), `spending-${month}.csv`)
  }

  return (
    <>
      {budget}{' '}
      <button type="button" className="textButton underlinable" onClick={() => run(download)}>
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

/** Names, each with a value at the end of its line; nothing without any. */
function Values(props: {
  title: string
  values: readonly (readonly [name: string, value: ReactNode, id?: string])[]
}) {
  if (props.values.length === 0) return null
  return (
    <Group title={props.title}>
      <ul className={`card lined ${styles['lines']}`}>
        {props.values.map(([name, value, id = name]) => (
          <li key={id} className="ends">
            <UserText text={name} className="name" />
            <span className="tabular">{value}</span>
          </li>
        ))}
      </ul>
    </Group>
  )
}

function useEngineColumns(): readonly Column<SiteOverview['engines'][number]>[] {
  const { t, i18n } = useLingui()
  return [
    { title: t`Engine`, cell: ({ label }) => <UserText text={engineLabel(label, i18n)} className="name" /> },
    { title: t({ message: 'State', context: 'engine' }), cell: (engine) => <EngineState {...engine} /> },
    { title: t`Images`, isNumber: true, cell: ({ succeeded }) => i18n.number(succeeded) },
    { title: t`Failures`, isNumber: true, cell: ({ failed }) => i18n.number(failed) },
    { title: t`Latest failure`, isText: true, cell: ({ failure }) => <LatestFailure failure={failure} /> },
  ]
}

function EnginesOfDay({ engines, failures }: Pick<SiteOverview, 'engines' | 'failures'>) {
  const { t, i18n } = useLingui()
  const title = t`Image engines in the last 24 hours`
  const columns = useEngineColumns()
  return (
    <>
      <Group title={title}>
        <DataTable label={title} columns={columns} rows={engines} rowKey={({ id }) => id} />
      </Group>
      <Values
        title={t`Failures in the last 24 hours`}
        values={failures.map(({ code, images }) => [i18n._(failureLabel(code)), i18n.number(images)])}
      />
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
  const values = users.map(({ id, name, images, storedBytes }) => {
    const count = t`${plural(images, { one: '# image', other: '# images' })}`
    return [name || id, `${count} · ${formatBytes(storedBytes, i18n)}`, id] as const
  })
  return <Values title={t`Users with the most storage`} values={values} />
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
  const columns = useFigureColumns(series)
  const sorted = useSortedRows(data ?? [], 'day')
  const title = t`The last ${statisticsDays} days`
  return (
    <Group title={title}>
      <QueryState query={query} failed={t`The statistics could not be loaded.`} />
      {data && (
        <>
          <div className={styles['charts']}>
            {series.map((one) => (
              <DayChart key={one.title} {...one} days={data} />
            ))}
          </div>
          <p className="quiet small breakable">{t`Days are in UTC. Posts are those that are in the gallery now.`}</p>
          <details>
            <summary className={styles['summary']}>{t`Show as a table`}</summary>
            <DataTable label={title} columns={columns} {...sorted} rowKey={({ day }) => day} />
          </details>
        </>
      )}
    </Group>
  )
}

function useFigureColumns(series: readonly Series[]): readonly Column<DayFigures, keyof DayFigures>[] {
  const { t, i18n } = useLingui()
  return [
    { title: t`Day`, sort: ['day', 'desc'], cell: ({ day }) => <Day at={day} /> },
    ...series.map(({ title, of }) => ({
      title,
      sort: [of, 'desc'] as const,
      isNumber: true,
      cell: (figures: DayFigures) => i18n.number(figures[of]),
    })),
  ]
}

/** Part of the chart's height that the lowest bar has. */
const lowestBar = 0.03

/**
 * Bars of the value of each day, the earliest at the start of the line. Screen readers hear a summary; the values are in the
 * table next to the charts. The day under the pointer is shown above.
 */
function DayChart({ title, days, of }: Series & { days: readonly DayFigures[] }) {
  const { t, i18n } = useLingui()
  const headingId = useId()
  const [pointed, setPointed] = useState<DayFigures>()
  const total = days.reduce((sum, day) => sum + day[of], 0)
  const most = Math.max(...days.map((day) => day[of]))
  const best = days.find((day) => day[of] === most)
  const format = (day = '') => i18n.date(day, { day: 'numeric', month: 'short', timeZone: 'UTC' })

  function point({ clientX, clientY }: PointerEvent) {
    const bar = document.elementFromPoint(clientX, clientY)
    setPointed(
      (known) => days.find(({ day }) => bar instanceof HTMLElement && bar.dataset['day'] === day) ?? known,
    )
  }

  return (
    <figure className="stack tight card padded" aria-labelledby={headingId}>
      <figcaption className="ends">
        <span id={headingId} className="name">
          {title}
        </span>
        <span className="tabular" aria-hidden="true">
          {pointed && <span className="quiet small breakable">{format(pointed.day)}</span>}{' '}
          <span className="name">{i18n.number(pointed ? pointed[of] : total)}</span>
        </span>
      </figcaption>
      <div className={styles['plot']} data-bad={of === 'failures'}>
        {[most, most / 2].map(
          (value) =>
            value >= 1 && (
              <span key={value} className={styles['scale']} aria-hidden="true">
                {i18n.number(value)}
              </span>
            ),
        )}
        <div
          role="img"
          aria-label={
            total === 0
              ? t`${title}: none in this time.`
              : t`${title}: ${i18n.number(total)} in this time, the most on ${format(best?.day)}: ${i18n.number(most)}.`
          }
          className={styles['bars']}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          {days.map(({ day, [of]: value }) => (
            <span
              key={day}
              data-day={day}
              data-pointed={day === pointed?.day}
              // A day with few differs from one with none.
              style={{ '--height': value && Math.max(lowestBar, value / most) } as CSSProperties}
            />
          ))}
        </div>
      </div>
      <div className={`ends quiet ${styles['axis']}`} aria-hidden="true">
        <span>{format(days[0]?.day)}</span>
        <span>{format(days[days.length / 2]?.day)}</span>
        <span>{t`Today`}</span>
      </div>
    </figure>
  )
}
