import type { Budget, Quota } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { readAccess } from '../access/user-access.ts'
import type { Database } from '../db/open-database.ts'
import {
  type BudgetOptions,
  budgetsOf,
  dollarsOf,
  endOfUtcMonth,
  microsOf,
  siteId,
  utcMonth,
} from './budget.ts'
import { isUnfinished } from './generation/states.ts'
import { endOfUtcDay, readStorageUse, readUsage, siteCounter, userCounter, utcDay } from './quota.ts'
import type { Needs } from './services.ts'

/** Reads the viewer's quota for the current UTC day, and of storage and money. */
export async function readQuota(
  { db, readOptions, ...services }: Needs<'db' | 'now' | 'readOptions'>,
  viewer: Viewer,
): Promise<Quota> {
  const options = await readOptions(db)
  const { dailyImageTotal: total } = options
  const { dailyImageLimit, monthlyBudget } = await readAccess(db, viewer.id)
  const storage = await readStorageUse(db, options, viewer.id)
  const now = services.now()
  const day = utcDay(now)
  return {
    used: await readUsage(db, userCounter(viewer.id, 'image', day)),
    limit: dailyImageLimit ?? options.dailyImageLimit,
    resetsAt: new Date(endOfUtcDay(now)).toISOString(),
    ...(total !== null && { siteRemaining: Math.max(0, total - (await readUsage(db, siteCounter(day)))) }),
    ...(storage && { storage }),
    budget: await readBudget(db, options, { id: viewer.id, monthlyBudget }, now),
  }
}

/** Reads the budget of a user or of the site, whichever has less left; null if neither has one. */
async function readBudget(
  db: Database,
  options: BudgetOptions,
  user: Parameters<typeof budgetsOf>[1],
  now: number,
): Promise<Budget | null> {
  const budgets = []
  for (const [id, limit] of budgetsOf(options, user)) {
    if (limit !== null) budgets.push({ limit: microsOf(limit), ...(await readSpending(db, id, now)) })
  }
  const [tightest] = budgets.toSorted((a, b) => a.limit - a.micros - (b.limit - b.micros))
  if (!tightest) return null
  const { limit, micros, reserved } = tightest
  return {
    limit: dollarsOf(limit),
    spent: dollarsOf(micros - reserved),
    reserved: dollarsOf(reserved),
    currency: 'USD',
    resetsAt: new Date(endOfUtcMonth(now)).toISOString(),
  }
}

/** Reads what images of the site cost in the current month, in USD; null without costs and a budget. */
export async function readSiteSpending(
  db: Database,
  { monthlyBudget: limit, monthlyBudgetPerUser }: BudgetOptions,
  now: number,
) {
  const { micros, reserved } = await readSpending(db, siteId, now)
  if (micros === 0 && limit === null && monthlyBudgetPerUser === null) return null
  return { spent: dollarsOf(micros - reserved), reserved: dollarsOf(reserved), limit }
}

function spendingOf(db: Database, month: string) {
  return db.selectFrom('daily_spending').where('day', '>=', `${month}-01`).where('day', '<=', `${month}-31`)
}

/** Maximum number of entries of a month. */
const spendingMax = 100_000

/** Lists what images of a UTC month, such as 2026-11, have cost, in USD, by day, engine and user; a deleted user has no name. */
export async function listSpending(db: Database, month: string) {
  const rows = await spendingOf(db, month)
    .leftJoin('user', 'user.id', 'daily_spending.user_id')
    .leftJoin('known_users', 'known_users.user_id', 'daily_spending.user_id')
    .select(['day', 'engine', 'daily_spending.user_id as userId', 'micros'])
    .select((eb) => eb.fn.coalesce('user.name', 'known_users.name').as('name'))
    .orderBy('day')
    .orderBy('engine')
    .orderBy('daily_spending.user_id')
    .limit(spendingMax)
    .execute()
  return rows.map(({ micros, ...row }) => Object.assign(row, { cost: dollarsOf(micros) }))
}

/** Sums what images of a time's UTC month have cost, in USD, by the ids of engines. */
export async function readEngineSpending(db: Database, now: number): Promise<ReadonlyMap<string, number>> {
  const month = utcDay(now).slice(0, 7)
  const rows = await spendingOf(db, month)
    .select((eb) => ['engine', eb.cast<number>(eb.fn.sum('micros'), 'bigint').as('micros')])
    .groupBy('engine')
    .execute()
  return new Map(rows.map(({ engine, micros }) => [engine, dollarsOf(micros)]))
}

/** Reads the spending of a user, or of the site, in the current month, and how much of it is reserved, in millionths of a USD. */
export async function readSpending(db: Database, userId: string, now: number) {
  const month = utcMonth(now)
  return db
    .selectFrom('images')
    .select((eb) => [
      eb.cast<number>(eb.fn.coalesce(eb.fn.sum('price_micros'), eb.lit(0)), 'bigint').as('reserved'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('monthly_spending')
            .select('micros')
            .where('user_id', '=', userId)
            .where('month', '=', month),
          eb.lit(0),
        )
        .as('micros'),
    ])
    .where(isUnfinished)
    .where('month', '=', month)
    .$if(userId !== siteId, (query) => query.where('owner_id', '=', userId))
    .executeTakeFirstOrThrow()
}
