import { sql } from 'kysely'
import type { ErrorCode } from '../../shared/errors.ts'
import type { Quota } from '../../shared/images.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import type { Database } from '../db/open-database.ts'
import type { Schema } from '../db/schema.ts'
import { AppError, describedDetail, type DescribedDetail } from '../errors/app-error.ts'

/** Formats the UTC day of a time (milliseconds since 1970) as `YYYY-MM-DD`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Returns the end of a time's UTC day, in milliseconds since 1970. */
export function endOfUtcDay(time: number): number {
  return new Date(time).setUTCHours(24, 0, 0, 0)
}

/** Creates the error of a daily quota that is used up. A retry makes sense when it is reset. */
export function dailyQuotaError(code: ErrorCode, time: number, detail?: DescribedDetail): AppError {
  return new AppError(code, detail, { retryAfter: Math.ceil((endOfUtcDay(time) - time) / 1_000) })
}

/** Counter of a UTC day or month, whose column is `count`. */
export interface Counter {
  readonly table: 'daily_usage' | 'site_usage' | 'monthly_spending' | 'daily_spending'
  readonly count: string
  /** Values of the other columns. */
  readonly key: Readonly<Record<string, string | number>>
}

/** What a user consumes of a kind on a day. */
export function userCounter(user_id: string, kind: Schema['daily_usage']['kind'], day: string): Counter {
  return { table: 'daily_usage', count: 'used', key: { user_id, day, kind } }
}

/** Images that the whole site generates on a day. */
export function siteCounter(day: string): Counter {
  return { table: 'site_usage', count: 'images', key: { day } }
}

const matches = ({ key }: Counter) =>
  sql<boolean>`${sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` AND `,
  )}`

export async function readUsage(db: Database, counter: Counter): Promise<number> {
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
  { table, count, key }: Counter,
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

/** Refunds units to the day or month in which they were consumed. */
export async function refundQuota(db: Database, counter: Counter, units = 1): Promise<void> {
  const count = sql.ref(counter.count)
  await sql`
    UPDATE ${sql.table(counter.table)} SET ${count} = ${count} - ${units}
    WHERE ${matches(counter)} AND ${count} >= ${units}`.execute(db)
}

const bytesPerMegabyte = 1_000_000

type StorageOptions = Pick<SiteOptions, 'storageLimitMegabytes'>

/** Reads how much a user stores; null if the site has no limit. */
export async function readStorageUse(
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
