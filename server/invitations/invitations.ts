import type { InvitationState } from '../../shared/invitations.ts'
import type { UserServices } from '../access/user-access.ts'
import type { Database } from '../db/open-database.ts'
import type { RowOf } from '../db/schema.ts'
import { hashToken } from '../text/hash-token.ts'
import { isoTime } from '../text/iso-time.ts'

export type InvitationRow = RowOf<'invitations'>

/** Lists the invitations that a user created, newest first. */
export async function listOwnInvitations(db: Database, creatorId: string) {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(storedInvitation)
}

/** Describes the invitation of a link to its visitors. */
export async function describeInvitation(services: UserServices, token: string) {
  const row = await findByToken(services.db, token)
  if (!row) return { state: 'unknown' as const, expiresAt: null }
  return { state: stateOf(row, services.now()), expiresAt: isoTime(row.expires_at) }
}

/** Finds the invitation of a token, if an account can be created with it now. */
export async function findOpenInvitation(
  { db, now }: UserServices,
  token: string,
): Promise<{ readonly id: string } | null> {
  const row = await findByToken(db, token)
  return row && stateOf(row, now()) === 'open' ? { id: row.id } : null
}

async function findByToken(db: Database, token: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('hash', '=', hashToken(token)).executeTakeFirst()
}

/** State of an invitation, by which an account can be created or not. */
export function stateOf(row: InvitationRow, now: number): InvitationState {
  if (row.revoked_at !== null) return 'revoked'
  if (row.uses >= row.max_uses) return 'used_up'
  return row.expires_at <= now ? 'expired' : 'open'
}

/** Converts a row to what the export of its creator contains. */
export function storedInvitation(row: InvitationRow) {
  return {
    /** Counts up from 1; the audit log names it. */
    number: row.seq,
    note: row.note,
    /** Number of accounts that were created with it. */
    uses: row.uses,
    maxUses: row.max_uses,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  }
}
