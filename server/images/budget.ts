import type { SiteOptions } from '../../shared/site-options.ts'
import type { UserAccess } from '../access/user-access.ts'
import type { Database } from '../db/open-database.ts'
import type { RowOf } from '../db/schema.ts'
import { consumeQuota, refundQuota, utcDay, type Counter } from './quota.ts'

/*
 * Budgets in money, of the site and of each user. A counter per month is the sum of what images have cost, and of the prices
 * of unfinished ones: these are reserved when a request is accepted, and replaced with the true cost when an image ends.
 */

export type BudgetOptions = Pick<SiteOptions, 'monthlyBudget' | 'monthlyBudgetPerUser'>

/** Id of the user whose spending is that of the site. */
export const siteId = ''

/** Converts USD to millionths. */
export function microsOf(dollars: number): number {
  return Math.round(dollars * 1_000_000)
}

/** Converts millionths of a USD to USD. */
export function dollarsOf(micros: number): number {
  return micros / 1_000_000
}

/** Returns the UTC month of a time, such as 202611. */
export function utcMonth(time: number): number {
  const date = new Date(time)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** Returns the end of a time's UTC month, in milliseconds since 1970. */
export function endOfUtcMonth(time: number): number {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** A user with the budget of their own, in USD; null for that of the site's users. */
export type Spender = { readonly id: string } & Pick<UserAccess, 'monthlyBudget'>

/** Returns the budgets that an image of a user counts for, in USD; null without a limit. */
export function budgetsOf(options: BudgetOptions, { id, monthlyBudget: own }: Spender) {
  return [
    [id, own ?? options.monthlyBudgetPerUser],
    [siteId, options.monthlyBudget],
  ] as const
}

/** What images of a user, or of the site, cost in a month. */
export function spendingCounter(userId: string, time: number): Counter {
  return { table: 'monthly_spending', count: 'micros', key: { user_id: userId, month: utcMonth(time) } }
}

/** Adds the final cost of an image to the day on which it was requested. */
export async function addCost(
  transaction: Database,
  { owner_id, created_at, engine }: Pick<RowOf<'images'>, 'owner_id' | 'created_at' | 'engine'>,
  micros: number | null,
): Promise<void> {
  const key = { day: utcDay(created_at), engine: engine ?? '', user_id: owner_id }
  const counter: Counter = { table: 'daily_spending', count: 'micros', key }
  if (micros !== null && micros > 0) await consumeQuota(transaction, counter, null, micros)
}

/** Changes what an image counts in the month in which it was accepted. */
export async function changeSpending(
  transaction: Database,
  { owner_id, created_at }: Pick<RowOf<'images'>, 'owner_id' | 'created_at'>,
  micros: number,
): Promise<void> {
  for (const id of [owner_id, siteId]) {
    const counter = spendingCounter(id, created_at)
    if (micros > 0) await consumeQuota(transaction, counter, null, micros)
    if (micros < 0) await refundQuota(transaction, counter, -micros)
  }
}
