import type { AdminAction } from '../../shared/admin.ts'
import type { Database } from '../db/open-database.ts'

/** Who does something to users or the site. */
export interface Actor {
  /** Null for commands of the operator, and for the sign-in provider. */
  readonly id: string | null
  readonly firstName: string
}

/** Records an action. Call it in the transaction of the action. */
export async function recordAdminAction(
  transaction: Database,
  administrator: Actor,
  record: {
    readonly action: AdminAction
    /** The user that the action is about. */
    readonly userId?: string
    /** What changed, for the audit log. No secrets, and no names of users. */
    readonly details?: Readonly<Record<string, string | number | boolean | null>>
    readonly now: number
  },
): Promise<void> {
  await transaction
    .insertInto('admin_log')
    .values({
      action: record.action,
      administrator_id: administrator.id,
      administrator_name: administrator.firstName,
      user_id: record.userId ?? null,
      details: JSON.stringify(record.details ?? {}),
      created_at: record.now,
    })
    .execute()
}
