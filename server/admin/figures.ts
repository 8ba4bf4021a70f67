import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { ErrorCode } from '../../shared/errors.ts'
import { statisticsDays, type EngineFigures, type SiteOverview, type DayFigures } from '../../shared/admin.ts'
import { version } from '../../shared/version.ts'
import { msPerDay, dayOf } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { countMails } from '../mail/mail-queue.ts'
import type { Config } from '../config/config.ts'
import type { Engines } from '../engines/engines.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import type { Clock } from '../time/clock.ts'
import { isoTime } from '../text/iso-time.ts'
import { countUnfinished } from '../images/generation/states.ts'
import { countReported } from '../audit/waiting-reports.ts'
import { countPosts } from '../posts/post-queries.ts'
import { utcDay } from '../images/quota.ts'
import { dialectOf } from '../db/dialect-of.ts'

export interface FigureServices {
  readonly db: Database
  readonly now: Clock
  readonly log: Logger
  readonly engines: Engines
  readonly blobs: BlobStore
  readonly config: Pick<Config, 'auth' | 'mail'>
}

/** Hours that failures are listed for. */
const recentHours = 24

/** Days of a week, including today. */
const weekDays = 7

/** Reads the state of the site. Storage that can't be read has no figures. */
export async function readOverview(services: FigureServices): Promise<SiteOverview> {
  const { db, config } = services
  const now = services.now()
  const [users, active, posts, today, storage, queue, engines, outcomes, reportsWaiting, mailsWaiting] =
    await Promise.all([
      countUsers(db, config.auth.kind),
      countActive(db, now),
      countPosts(db),
      readOutcomesByDay(db, dayOf(now)),
      readStorage(services),
      countUnfinished(db),
      services.engines.list(),
      readOutcomes(db, recentHours, now),
      countReported({ db }),
      config.mail === null ? null : countMails(db),
    ])
  return {
    version,
    users,
    ...active,
    posts,
    imagesToday: today.reduce((sum, { images }) => sum + images, 0),
    storage,
    queue,
    engines: engines.map((engine) => engineFigures(engine, outcomes)),
    failures: failuresByReason(outcomes),
    reportsWaiting,
    mailsWaiting,
  }
}

/** Counts the users who were on the site today and within the last seven days. Visits are recorded to the hour. */
async function countActive(
  db: Database,
  now: number,
): Promise<Pick<SiteOverview, 'activeToday' | 'activeThisWeek'>> {
  const today = dayOf(now) * msPerDay
  return db
    .selectFrom('known_users')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('last_seen_at', '>=', today).as('activeToday'),
      eb.fn.countAll<number>().as('activeThisWeek'),
    ])
    .where('last_seen_at', '>=', today - (weekDays - 1) * msPerDay)
    .executeTakeFirstOrThrow()
}

async function readStorage({
  blobs,
  log,
}: Pick<FigureServices, 'blobs' | 'log'>): Promise<SiteOverview['storage']> {
  try {
    const [usedBytes, freeBytes] = await Promise.all([blobs.bytes(), blobs.freeBytes()])
    return { usedBytes, freeBytes }
  } catch (err) {
    log.warn({ err }, 'the size of the storage could not be read')
    return { usedBytes: null, freeBytes: null }
  }
}

function isFailure({ outcome }: OutcomeTotal): boolean {
  return outcome !== 'succeeded' && outcome !== 'canceled'
}

function engineFigures(
  { id, label, isAvailable }: Pick<EngineFigures, 'id' | 'label' | 'isAvailable'>,
  outcomes: readonly OutcomeTotal[],
): EngineFigures {
  const success = outcomes.find(({ engine, outcome }) => engine === id && outcome === 'succeeded')
  const failures = failuresOf(id, outcomes)
  const [latest] = failures
  const isLatest = latest !== undefined && latest.latestAt > (success?.latestAt ?? 0)
  return {
    id,
    label,
    isAvailable,
    succeeded: success?.images ?? 0,
    failed: failures.reduce((sum, { images }) => sum + images, 0),
    failure: isLatest ? describeFailure(latest) : null,
  }
}

/** Returns the failures of an engine, latest first. */
export function failuresOf(engineId: string, outcomes: readonly OutcomeTotal[]): OutcomeTotal[] {
  return outcomes
    .filter((total) => total.engine === engineId && isFailure(total))
    .toSorted((a, b) => b.latestAt - a.latestAt)
}

/** Describes the latest failure of a total. */
export function describeFailure({ outcome, latestAt }: OutcomeTotal) {
  return { code: outcome as ErrorCode, at: isoTime(latestAt) }
}

function failuresByReason(outcomes: readonly OutcomeTotal[]): SiteOverview['failures'] {
  const byReason = new Map<ErrorCode, number>()
  for (const { outcome, images } of outcomes.filter(isFailure)) {
    byReason.set(outcome as ErrorCode, (byReason.get(outcome as ErrorCode) ?? 0) + images)
  }
  return [...byReason]
    .map(([code, images]) => ({ code, images }))
    .toSorted((a, b) => b.images - a.images || a.code.localeCompare(b.code))
}

/** Reads the figures of each of the last days, the earliest first. */
export async function readStatistics({
  db,
  now,
  config,
}: Pick<FigureServices, 'db' | 'now' | 'config'>): Promise<DayFigures[]> {
  const today = dayOf(now())
  const first = today - statisticsDays + 1
  const nameOf = (day: number) => utcDay(day * msPerDay)
  const [outcomes, posts, newUsers] = await Promise.all([
    readOutcomesByDay(db, first),
    db.selectFrom('day_totals').select(['day', 'posts']).where('day', '>=', first).execute(),
    countNewUsers(db, config.auth.kind, nameOf(first)),
  ])
  const outcomesOf = new Map(outcomes.map((row) => [row.day, row]))
  const postsOf = new Map(posts.map((row) => [row.day, row.posts]))
  return Array.from({ length: statisticsDays }, (_, index) => {
    const day = first + index
    const { images = 0, failures = 0 } = outcomesOf.get(day) ?? {}
    return {
      day: nameOf(day),
      images,
      posts: postsOf.get(day) ?? 0,
      newUsers: newUsers.get(nameOf(day)) ?? 0,
      failures,
    }
  })
}

type AccountKind = 'local' | 'clerk'

/** Counts the local accounts; with Clerk, the users who have been on the site. */
async function countUsers(db: Database, kind: AccountKind): Promise<number> {
  const { users } = await db
    .selectFrom(kind === 'local' ? 'user' : 'known_users')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
  return users
}

/**
 * Counts the local accounts that were created on each day in UTC; with Clerk, the users who first came on it.
 *
 * @param firstDay `YYYY-MM-DD`
 */
async function countNewUsers(
  db: Database,
  kind: AccountKind,
  firstDay: string,
): Promise<ReadonlyMap<string, number>> {
  if (kind === 'clerk') return countFirstVisits(db, Date.parse(firstDay))
  // SQLite has texts in ISO 8601.
  const day =
    dialectOf(db) === 'postgres'
      ? sql`to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
      : sql`substr("createdAt", 1, 10)`
  const since =
    dialectOf(db) === 'postgres'
      ? sql`"createdAt" >= ${firstDay}::date::timestamp AT TIME ZONE 'UTC'`
      : sql`"createdAt" >= ${firstDay}`
  const { rows } = await sql<{ day: string; users: number }>`
    SELECT ${day} AS day, count(*) AS users FROM "user" WHERE ${since} GROUP BY 1`.execute(db)
  return new Map(rows.map(({ day: name, users }) => [name, users]))
}

async function countFirstVisits(db: Database, since: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('known_users')
    .select((eb) => [
      sql<number>`first_seen_at / ${sql.lit(msPerDay)}`.as('day'),
      eb.fn.countAll<number>().as('users'),
    ])
    .where('first_seen_at', '>=', since)
    .groupBy(sql`first_seen_at / ${sql.lit(msPerDay)}`)
    .execute()
  return new Map(rows.map(({ day, users }) => [utcDay(day * msPerDay), users]))
}

const msPerHour = 60 * 60 * 1_000

/** Generations of an engine with the same outcome within some hours. */
interface OutcomeTotal {
  readonly engine: string
  readonly outcome: 'succeeded' | 'canceled' | ErrorCode
  readonly images: number
  /** Milliseconds since 1970. */
  readonly latestAt: number
}

/** Reads the outcomes of the last hours, including the current one. */
export function readOutcomes(db: Database, hours: number, now: number): Promise<OutcomeTotal[]> {
  return db
    .selectFrom('generation_outcomes')
    .select((eb) => [
      'engine',
      'outcome',
      eb.cast<number>(eb.fn.sum('images'), 'bigint').as('images'),
      eb.fn.max('latest_at').as('latestAt'),
    ])
    .where('hour', '>', Math.floor(now / msPerHour) - hours)
    .where('images', '>', 0)
    .groupBy(['engine', 'outcome'])
    .execute()
}

/** Reads the numbers of images and failures by day, counted from 1970 in UTC. */
function readOutcomesByDay(
  db: Database,
  firstDay: number,
): Promise<{ day: number; images: number; failures: number }[]> {
  const images = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<number>`cast(coalesce(sum(images) FILTER (WHERE ${condition}), 0) AS bigint)`
  return db
    .selectFrom('generation_outcomes')
    .select([
      sql<number>`hour / 24`.as('day'),
      images(sql<boolean>`outcome = 'succeeded'`).as('images'),
      images(sql<boolean>`outcome NOT IN ('succeeded', 'canceled')`).as('failures'),
    ])
    .where('hour', '>=', firstDay * 24)
    .groupBy(sql`hour / 24`)
    .execute()
}
