import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import type { EngineFigures, SiteOverview } from '../../../shared/site-figures.ts'
import { failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { RetryButton } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { failureLabel } from './failure-labels.ts'
import { formatBytes } from '../../ui/format-bytes.ts'
import styles from './overview.module.css'
import { StatisticsCharts } from './statistics-charts.tsx'

/** Time between two updates of the figures, in milliseconds. */
const refreshMs = 15_000

/** The same while the storage is measured. */
const measuringMs = 2_000

/** Number up to which posts that wait are counted. */
const countedReports = 100

/** What administrators look at first: figures of now, engines, failures, and charts of the last 30 days. */
export function OverviewSection() {
  const { t, i18n } = useLingui()
  const { data, error, refetch } = trpc.admin.overview.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.storage.usedBytes === null ? measuringMs : refreshMs),
  })
  return (
    <div className={styles['overview']}>
      <Notice action={<RetryButton onClick={() => void refetch()} />}>
        {error && (failureMessage(error, i18n) ?? t`The overview could not be loaded.`)}
      </Notice>
      {data ? <Overview overview={data} /> : !error && <Skeleton shape="area" />}
      <StatisticsCharts />
      {data && <p className={styles['version']}>{t`Version ${data.version}`}</p>}
    </div>
  )
}

function Overview({ overview }: { overview: SiteOverview }) {
  const { t } = useLingui()
  return (
    <>
      <Figures overview={overview} />
      <Group title={t`Image engines in the last 24 hours`}>
        <ul className={styles['engines']}>
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
        detail={
          reportsWaiting > 0 && (
            <Link href={pagePaths.moderation}>
              <Trans>Review them</Trans>
            </Link>
          )
        }
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
    <div className={styles['figure']}>
      <dt className={styles['name']}>{name}</dt>
      <dd className={styles['value']}>{value}</dd>
      {detail && <dd className={styles['detail']}>{detail}</dd>}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['group']}>
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
      <UserText text={engine.label} className={styles['label']} />
      <span className={styles['counts']}>
        {t`${plural(succeeded, { one: '# image', other: '# images' })}`} ·{' '}
        {t`${plural(failed, { one: '# failure', other: '# failures' })}`}
      </span>
      {failure && (
        <span className={styles['failure']}>
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
      <ul className={styles['failures']}>
        {failures.map(({ code, images }) => (
          <li key={code}>
            <span>{i18n._(failureLabel(code))}</span>
            <span className={styles['count']}>{i18n.number(images)}</span>
          </li>
        ))}
      </ul>
    </Group>
  )
}
