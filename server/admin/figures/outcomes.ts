import { sql } from 'kysely'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { Database } from '../../db/open-database.ts'

const msPerHour = 60 * 60 * 1_000

/** Generations of an engine with the same outcome within some hours. */
export interface OutcomeTotal {
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
export function readOutcomesByDay(
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
