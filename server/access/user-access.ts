import type { SiteOptions } from '../../shared/site-options.ts'
import type { Role } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { hasRows } from '../db/rows.ts'
import type { RowOf } from '../db/schema.ts'
import { inTransactionAbout } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { Clock } from '../time/clock.ts'

/** Role, limits and block of a user. */
export type UserAccess = Readonly<ReturnType<typeof toAccess>>

const defaultAccess: UserAccess = {
  role: 'member',
  isRoleFromProvider: false,
  dailyImageLimit: null,
  monthlyBudget: null,
  isBlocked: false,
}

/** Checks whether a user exists, whichever service signs them in. */
export async function isUser(db: Database, userId: string): Promise<boolean> {
  return (
    (await hasRows(db.selectFrom('known_users').select('user_id').where('user_id', '=', userId))) ||
    hasRows(db.selectFrom('user').select('id').where('id', '=', userId))
  )
}

/** Checks whether a session of a local account lasts: a new password, for example, has ended it. */
export function hasSession(
  db: Database,
  userId: string,
  sessionId: string | null | undefined,
): Promise<boolean> {
  const sessions = db.selectFrom('session').select('id').where('userId', '=', userId)
  return hasRows(sessions.where('id', '=', sessionId ?? ''))
}

export async function readAccess(db: Database, userId: string): Promise<UserAccess> {
  const row = await db.selectFrom('user_access').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row ? toAccess(row) : defaultAccess
}

/**
 * Verifies in a transaction that a moderator or administrator is not blocked: the request was authenticated earlier. Blocking
 * them waits until the transaction ends.
 *
 * @throws AppError `forbidden`
 */
export async function requireUnblocked(transaction: Database, user: { readonly id: string }): Promise<void> {
  const access = transaction.selectFrom('user_access').select('blocked_at').where('user_id', '=', user.id)
  const locked = dialectOf(transaction) === 'postgres' ? access.forShare() : access
  const row = await locked.executeTakeFirst()
  if (row && row.blocked_at !== null) throw new AppError('forbidden', describedDetail('moderators_only'))
}

export async function readAccessOfAll(
  db: Database,
  userIds: readonly string[],
): Promise<(userId: string) => UserAccess> {
  const rows = await db
    .selectFrom('user_access')
    .selectAll()
    .where(isOneOf(db, 'user_id', userIds, 'text'))
    .execute()
  const found = new Map(rows.map((row) => [row.user_id, toAccess(row)]))
  return (userId) => found.get(userId) ?? defaultAccess
}

function toAccess(row: RowOf<'user_access'>) {
  return {
    role: row.role,
    /** True if the sign-in provider gave it, which changes it at the next sign-in. */
    isRoleFromProvider: row.role_by_provider === 1,
    /** Images per UTC day, and USD per UTC month; null for those of the site. */
    dailyImageLimit: row.daily_image_limit,
    monthlyBudget: row.monthly_budget_micros === null ? null : row.monthly_budget_micros / 1_000_000,
    isBlocked: row.blocked_at !== null,
  }
}

/** Sets the role of a user. @param isFromProvider true if the sign-in provider decides on it */
export async function setRole(
  db: Database,
  userId: string,
  role: Role,
  isFromProvider = false,
): Promise<void> {
  await changeAccess(db, userId, { role, role_by_provider: Number(isFromProvider) })
  if (role === 'administrator') await db.deleteFrom('site_options').where('name', '=', 'setupNonce').execute()
}

/** Changes what a user may do. Sessions and API keys of one who is blocked stay, without effect. */
export async function changeAccess(
  db: Database,
  userId: string,
  columns: Partial<Omit<RowOf<'user_access'>, 'user_id'>>,
): Promise<void> {
  await db
    .insertInto('user_access')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

export async function dailyImageLimitOf(
  db: Database,
  options: Pick<SiteOptions, 'dailyImageLimit'>,
  userId: string,
): Promise<number> {
  const { dailyImageLimit } = await readAccess(db, userId)
  return dailyImageLimit ?? options.dailyImageLimit
}

/**
 * Time for which a closed account is remembered: longer than any request authenticated before, and than any session
 * token of a hosted sign-in service that outlives its account.
 */
const rememberedMs = 60 * 60 * 1_000

/** Services of every change of what is stored about users. */
export interface UserServices {
  readonly db: Database
  readonly now: Clock
}

/**
 * Marks an account as deleted, or closed at the hosted sign-in service, revokes its API keys and deletes its webhooks and
 * subscriptions to pushes. Requests of the account that are in progress store nothing from then on, see `inTransactionOf`.
 */
export async function closeAccount({ db, now }: UserServices, userId: string): Promise<void> {
  await inTransactionAbout(db, userId, (transaction) => markClosed({ db: transaction, now }, userId))
}

/** Closes an account in a transaction that has locked its user. */
export async function markClosed({ db, now }: UserServices, userId: string): Promise<void> {
  await db
    .deleteFrom('closed_accounts')
    .where('created_at', '<=', now() - rememberedMs)
    .execute()
  await db
    .insertInto('closed_accounts')
    .values({ user_id: userId, created_at: now() })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ created_at: now() }))
    .execute()
  await revokeAllApiKeys(db, userId)
  await db.deleteFrom('webhooks').where('user_id', '=', userId).execute()
  await db.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
}

export async function revokeAllApiKeys(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', '=', userId).execute()
}

/**
 * Runs work in a transaction that stores something of a user, and waits for the user's other write transactions, see
 * `lockUser`. Verifies that the account is still open and not blocked: the request was authenticated earlier, and the account may
 * have been deleted since. The service token has no account and always passes.
 *
 * @param work receives the user's access, too
 * @throws AppError `not_signed_in`
 */
export function inTransactionOf<Result>(
  { db, now }: UserServices,
  user: { readonly id: string },
  work: (transaction: Database, access: UserAccess) => Promise<Result>,
): Promise<Result> {
  return inTransactionAbout(db, user.id, async (transaction) => {
    const closed = await transaction
      .selectFrom('closed_accounts')
      .select('created_at')
      .where('user_id', '=', user.id)
      .where('created_at', '>', now() - rememberedMs)
      .executeTakeFirst()
    const access = await readAccess(transaction, user.id)
    if (closed || access.isBlocked) {
      throw new AppError('not_signed_in', describedDetail('account_closed'))
    }
    return work(transaction, access)
  })
}
