import { sql } from 'kysely'
import type { Quota } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import type { Database } from '../db/open-database.ts'
import type { DailyUsageTable } from '../db/schema.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { dailyImageLimitOf } from '../access/user-access.ts'
import type { Needs } from './services.ts'

/** Formats the UTC day of a time (milliseconds since 1970) as `YYYY-MM-DD`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Returns the end of a time's UTC day, in milliseconds since 1970. */
function endOfUtcDay(time: number): number {
  return new Date(time).setUTCHours(24, 0, 0, 0)
}

/** Returns the seconds until the daily quotas are reset. */
export function secondsLeftOfDay(time: number): number {
  return Math.ceil((endOfUtcDay(time) - time) / 1_000)
}

/** Reads the viewer's quota for the current UTC day, and of storage. */
export async function readQuota(
  { db, readOptions, ...services }: Needs<'db' | 'now' | 'readOptions'>,
  viewer: Viewer,
): Promise<Quota> {
  const options = await readOptions(db)
  const { dailyImageTotal: total } = options
  const storage = await readStorageUse(db, options, viewer.id)
  const now = services.now()
  const day = utcDay(now)
  return {
    used: await readUsage(db, userCounter(viewer.id, 'image', day)),
    limit: await dailyImageLimitOf(db, options, viewer.id),
    resetsAt: new Date(endOfUtcDay(now)).toISOString(),
    ...(total !== null && { siteRemaining: Math.max(0, total - (await readUsage(db, siteCounter(day)))) }),
    ...(storage && { storage }),
  }
}

/** Counter of a UTC day, whose column is `count`. */
interface DailyCounter {
  readonly table: 'daily_usage' | 'site_usage'
  readonly count: string
  /** Values of the other columns. */
  readonly key: Readonly<Record<string, string>>
}

/** What a user consumes of a kind on a day. */
export function userCounter(user_id: string, kind: DailyUsageTable['kind'], day: string): DailyCounter {
  return { table: 'daily_usage', count: 'used', key: { user_id, day, kind } }
}

/** Images that the whole site generates on a day. */
export function siteCounter(day: string): DailyCounter {
  return { table: 'site_usage', count: 'images', key: { day } }
}

const matches = ({ key }: DailyCounter) =>
  sql<boolean>`${sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` AND `,
  )}`

export async function readUsage(db: Database, counter: DailyCounter): Promise<number> {
  const row = await db
    .selectFrom(sql`${sql.table(counter.table)}`.as('counter'))
    .select(sql.ref<number>(counter.count).as('used'))
    .where(matches(counter))
    .executeTakeFirst()
  return row?.used ?? 0
}

/**
 * Consumes units, all or none, in one statement, so that simultaneous calls can't exceed the limit. Without a limit it
 * counts, too, so that one that is set later includes them. False if fewer are left.
 */
export async function consumeQuota(
  db: Database,
  { table, count, key }: DailyCounter,
  limit: number | null,
  units = 1,
): Promise<boolean> {
  const max = limit ?? Number.MAX_SAFE_INTEGER
  if (max < units) return false
  const columns = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  const consumed = sql.ref(`${table}.${count}`)
  const { numAffectedRows } = await sql`
    INSERT INTO ${sql.table(table)} (${columns}, ${sql.ref(count)})
    VALUES (${sql.join(Object.values(key))}, ${units})
    ON CONFLICT (${columns}) DO UPDATE SET ${sql.ref(count)} = ${consumed} + ${units}
    WHERE ${consumed} <= ${max - units}`.execute(db)
  return numAffectedRows === 1n
}

/** Refunds one unit to the day on which it was consumed. */
export async function refundQuota(db: Database, counter: DailyCounter): Promise<void> {
  const count = sql.ref(counter.count)
  await sql`
    UPDATE ${sql.table(counter.table)} SET ${count} = ${count} - 1
    WHERE ${matches(counter)} AND ${count} > 0`.execute(db)
}

const bytesPerMegabyte = 1_000_000

type StorageOptions = Pick<SiteOptions, 'storageLimitMegabytes'>

/** Reads how much a user stores; null if the site has no limit. */
async function readStorageUse(
  db: Database,
  { storageLimitMegabytes }: StorageOptions,
  userId: string,
): Promise<NonNullable<Quota['storage']> | null> {
  if (storageLimitMegabytes === null) return null
  const { used } = await db
    .selectFrom('images')
    .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum('bytes'), eb.lit(0)), 'bigint').as('used'))
    .where('owner_id', '=', userId)
    .where('bytes', 'is not', null)
    // They can't be removed by their owner.
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { used, limit: storageLimitMegabytes * bytesPerMegabyte }
}

/**
 * Verifies that a user may store so many more bytes, in a transaction that has locked the user.
 * @throws AppError `storage_limit`
 */
export async function requireStorage(
  transaction: Database,
  { storageLimitMegabytes }: StorageOptions,
  userId: string,
  bytes = 0,
): Promise<void> {
  const storage = await readStorageUse(transaction, { storageLimitMegabytes }, userId)
  if (!storage || (storage.used < storage.limit && storage.used + bytes <= storage.limit)) return
  throw new AppError(
    'storage_limit',
    describedDetail('storage_limit', { megabytes: storage.limit / bytesPerMegabyte }),
  )
}
