import type { Selectable } from 'kysely'
import type { UserAccess } from '../../shared/account.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import type { Role } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import type { UserAccessTable } from '../db/schema.ts'

const defaultAccess: UserAccess = {
  role: 'member',
  isRoleFromProvider: false,
  dailyImageLimit: null,
  isBlocked: false,
}

/** Reads what a user may do. */
export async function readAccess(db: Database, userId: string): Promise<UserAccess> {
  const row = await db.selectFrom('user_access').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row ? toAccess(row) : defaultAccess
}

/** Reads what several users may do. */
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

function toAccess(row: Selectable<UserAccessTable>): UserAccess {
  return {
    role: row.role,
    isRoleFromProvider: row.role_by_provider === 1,
    dailyImageLimit: row.daily_image_limit,
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
}

/** Sets the own daily image limit of a user, null for the limit of the site. */
export async function setDailyImageLimit(db: Database, userId: string, limit: number | null): Promise<void> {
  await changeAccess(db, userId, { daily_image_limit: limit })
}

/** Sets the time since which a user is blocked, null to unblock them. Their sessions and API keys stay, without effect. */
export async function setBlocked(db: Database, userId: string, blockedAt: number | null): Promise<void> {
  await changeAccess(db, userId, { blocked_at: blockedAt })
}

async function changeAccess(
  db: Database,
  userId: string,
  columns: Partial<Omit<Selectable<UserAccessTable>, 'user_id'>>,
): Promise<void> {
  await db
    .insertInto('user_access')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Reads the number of images that a user may generate per UTC day. */
export async function dailyImageLimitOf(
  db: Database,
  options: Pick<SiteOptions, 'dailyImageLimit'>,
  userId: string,
): Promise<number> {
  const { dailyImageLimit } = await readAccess(db, userId)
  return dailyImageLimit ?? options.dailyImageLimit
}
