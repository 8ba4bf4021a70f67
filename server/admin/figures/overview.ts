import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { EngineFigures, SiteOverview } from '../../../shared/admin.ts'
import { msPerDay } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import { countMails } from '../../mail/mail-queue.ts'
import type { Engines } from '../../engines/engines.ts'
import { countUnfinished } from '../../images/generation/states.ts'
import { countReported } from '../../moderation/reports.ts'
import { countPosts } from '../../posts/post-queries.ts'
import type { BlobStore } from '../../storage/blob-store.ts'
import { countUsers } from './new-users.ts'
import { readOutcomes, readOutcomesByDay, type OutcomeTotal } from './outcomes.ts'

interface OverviewServices {
  readonly db: Database
  readonly now: () => number
  readonly log: Logger
  readonly engines: Pick<Engines, 'list'>
  readonly blobs: Pick<BlobStore, 'bytes' | 'freeBytes'>
  readonly config: { readonly auth: { readonly kind: 'local' | 'clerk' }; readonly mail: object | null }
}

/** Hours that failures are listed for. */
const recentHours = 24

/** Days of a week, including today. */
const weekDays = 7

const version = readVersion()

/** Reads the state of the site. Storage that can't be read has no figures. */
export async function readOverview(services: OverviewServices): Promise<SiteOverview> {
  const { db, config } = services
  const now = services.now()
  const [users, active, posts, today, storage, queue, engines, outcomes, reportsWaiting, mailsWaiting] =
    await Promise.all([
      countUsers(db, config.auth.kind),
      countActive(db, now),
      countPosts(db),
      readOutcomesByDay(db, Math.floor(now / msPerDay)),
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
    engines: engines.map((engine) =>
      engineFigures(
        engine,
        outcomes.filter((total) => total.engine === engine.id),
      ),
    ),
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
  const today = Math.floor(now / msPerDay) * msPerDay
  return db
    .selectFrom('known_users')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('last_seen_at', '>=', today).as('activeToday'),
      eb.fn.countAll<number>().as('activeThisWeek'),
    ])
    .where('last_seen_at', '>=', today - (weekDays - 1) * msPerDay)
    .executeTakeFirstOrThrow()
}

async function readStorage({ blobs, log }: OverviewServices): Promise<SiteOverview['storage']> {
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
  const success = outcomes.find(({ outcome }) => outcome === 'succeeded')
  const failures = outcomes.filter(isFailure).toSorted((a, b) => b.latestAt - a.latestAt)
  const [latest] = failures
  const isLatest = latest !== undefined && latest.latestAt > (success?.latestAt ?? 0)
  return {
    id,
    label,
    isAvailable,
    succeeded: success?.images ?? 0,
    failed: failures.reduce((sum, { images }) => sum + images, 0),
    failure: isLatest
      ? { code: latest.outcome as ErrorCode, at: new Date(latest.latestAt).toISOString() }
      : null,
  }
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

/** Reads the version from the closest package.json: of the repository, or of the folder that a build was packed into. */
function readVersion(): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json')
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  }
  throw new Error('There is no package.json above the server.')
}
