import type { UserAccess } from '../../shared/account.ts'
import type { Role } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ReadSiteOptions } from '../site/site-options.ts'

const defaultAccess: UserAccess = {
  role: 'member',
  isRoleFromProvider: false,
  dailyImageLimit: null,
  isBlocked: false,
}

/** Reads what a user may do. */
export async function readAccess(db: Database, userId: string): Promise<UserAccess> {
  const row = await db
    .selectFrom('user_access')
    .select(['role', 'role_by_provider', 'daily_image_limit', 'blocked_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row
    ? {
        role: row.role,
        isRoleFromProvider: row.role_by_provider === 1,
        dailyImageLimit: row.daily_image_limit,
        isBlocked: row.blocked_at !== null,
      }
    : defaultAccess
}

/** Sets the role of a user. @param isFromProvider true if the sign-in provider decides on it */
export async function setRole(
  db: Database,
  userId: string,
  role: Role,
  isFromProvider = false,
): Promise<void> {
  const columns = { role, role_by_provider: Number(isFromProvider) }
  await db
    .insertInto('user_access')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Reads the number of images that a user may generate per UTC day. */
export async function dailyImageLimitOf(
  db: Database,
  readOptions: ReadSiteOptions,
  userId: string,
): Promise<number> {
  const { dailyImageLimit } = await readAccess(db, userId)
  return dailyImageLimit ?? (await readOptions(db)).dailyImageLimit
}
