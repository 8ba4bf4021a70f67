import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Engine } from '../../shared/engines.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import { statisticsDays } from '../../shared/admin.ts'
import { version } from '../../shared/version.ts'
import { msPerDay, dayOf, readGalleryState } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { countMails } from '../mail/mail-queue.ts'
import type { Config } from '../config/config.ts'
import type { Engines } from '../engines/engines.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { isoTime } from '../text/iso-time.ts'
import { countUnfinished } from '../images/generation/states.ts'
import { countReported } from '../audit/waiting-reports.ts'
import { utcDay } from '../images/quota.ts'
import { readSiteSpending } from '../images/read-quota.ts'
import type { ReadSiteOptions } from '../site/site-options.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'

export interface StatisticsServices extends UserServices, AdministrationServices {
  readonly log: Logger
  readonly engines: Engines
  readonly blobs: BlobStore
  readonly config: Pick<Config, 'mail'>
  readonly readOptions: ReadSiteOptions
}

/** Hours that failures are listed for. */
const recentHours = 24

/** Days of a week, including today. */
const weekDays = 7

/** Reads the state of the site, for administrators. Days are in UTC. */
export async function readOverview(services: StatisticsServices) {
  const { db, config, authenticator, engines } = services
  const now = services.now()
  const options = await services.readOptions(db)
  const outcomes = await readOutcomes(db, now)
  const today = await readOutcomesByDay(db, dayOf(now))
  return {
    version,
    /** Number of accounts; with Clerk, of the users who have been on the site. */
    users: await authenticator.directory.count(db),
    ...(await countActive(db, now)),
    posts: (await readGalleryState(db)).posts,
    imagesToday: today.reduce((sum, { images }) => sum + images, 0),
    storage: await readStorage(services),
    /** Generations of all processes. */
    queue: await countUnfinished(db),
    engines: (await engines.list()).map((engine) => engineFigures(engine, outcomes)),
    failures: failuresByReason(outcomes),
    /** Posts with reports or an appeal, counted up to 100. */
    reportsWaiting: await countReported({ db }),
    /** Cost of this month's images in USD, and its limit; null without costs and a budget of the site. */
    spending: await readSiteSpending(db, options, now),
    /** Mails to be sent; null if the site sends none. */
    mailsWaiting: config.mail === null ? null : await countMails(db),
  }
}

/** Counts the users who were on the site today and within the last seven days. Visits are recorded to the hour. */
async function countActive(db: Database, now: number) {
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

/**
 * Reads the size of the storage: null while it is measured, or if it can't be read, and what is left: also null if the
 * storage has no known limit.
 */
async function readStorage({ blobs, log }: StatisticsServices) {
  try {
    const [usedBytes, freeBytes] = await Promise.all([blobs.bytes(), blobs.freeBytes()])
    return { usedBytes, freeBytes }
  } catch (err) {
    log.warn({ err }, 'the size of the storage could not be read')
    return { usedBytes: null, freeBytes: null }
  }
}

/** Returns what an engine did in the last hours, with its latest failure unless an image has succeeded since. */
function engineFigures({ id, label, isAvailable }: Engine, outcomes: readonly OutcomeTotal[]) {
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
    failure: isLatest ? toEngineFailure(latest) : null,
  }
}

/** Returns the failures of an engine, latest first. */
export function failuresOf(engineId: string, outcomes: readonly OutcomeTotal[]): OutcomeTotal[] {
  return outcomes
    .filter(({ engine, outcome }) => engine === engineId && isFailure(outcome))
    .toSorted((a, b) => b.latestAt - a.latestAt)
}

export function toEngineFailure({ outcome, latestAt }: OutcomeTotal) {
  return { code: outcome as ErrorCode, at: isoTime(latestAt) }
}

/** Counts failed generations by reason, the most frequent first. */
function failuresByReason(outcomes: readonly OutcomeTotal[]) {
  const byReason = new Map<ErrorCode, number>()
  for (const { outcome, images } of outcomes) {
    if (isFailure(outcome)) byReason.set(outcome, (byReason.get(outcome) ?? 0) + images)
  }
  return [...byReason]
    .map(([code, images]) => ({ code, images }))
    .toSorted((a, b) => b.images - a.images || a.code.localeCompare(b.code))
}

/** Reads the figures of each of the last days, the earliest first. */
export async function readStatistics({ db, now, authenticator }: StatisticsServices) {
  const first = dayOf(now()) - statisticsDays + 1
  const [outcomes, posts, newUsers] = await Promise.all([
    readOutcomesByDay(db, first),
    db.selectFrom('day_totals').select(['day', 'posts']).where('day', '>=', first).execute(),
    authenticator.directory.countByDay(db, first),
  ])
  const outcomesOf = new Map(outcomes.map((row) => [row.day, row]))
  const postsOf = new Map(posts.map((row) => [row.day, row.posts]))
  return Array.from({ length: statisticsDays }, (_, index) => {
    const day = first + index
    const { images = 0, failures = 0 } = outcomesOf.get(day) ?? {}
    return {
      day: utcDay(day * msPerDay),
      images,
      /** Posts of the day that are in the gallery now. */
      posts: postsOf.get(day) ?? 0,
      /** New accounts; with Clerk, users who first came on this day. */
      newUsers: newUsers.get(day) ?? 0,
      failures,
    }
  })
}

const msPerHour = 60 * 60 * 1_000

function isFailure(outcome: OutcomeTotal['outcome']): outcome is ErrorCode {
  return outcome !== 'succeeded' && outcome !== 'canceled'
}

type OutcomeTotal = Awaited<ReturnType<typeof readOutcomes>>[number]

/** Reads the images of each engine by outcome in the recent hours, including the current one, and when the latest was finished. */
export function readOutcomes(db: Database, now: number) {
  return db
    .selectFrom('generation_outcomes')
    .select((eb) => [
      'engine',
      'outcome',
      eb.cast<number>(eb.fn.sum('images'), 'bigint').as('images'),
      eb.fn.max('latest_at').as('latestAt'),
    ])
    .where('hour', '>', Math.floor(now / msPerHour) - recentHours)
    .where('images', '>', 0)
    .groupBy(['engine', 'outcome'])
    .execute()
}

/** Reads the numbers of images and failures by day, counted from 1970 in UTC. */
function readOutcomesByDay(db: Database, firstDay: number) {
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
