import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { StoredInvitation } from '../../shared/account.ts'
import type {
  CreatedInvitation,
  Invitation,
  InvitationFacts,
  InvitationState,
} from '../../shared/invitations.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { recordAdminAction } from '../audit/admin-log.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import type { InvitationsTable } from '../db/schema.ts'
import { AppError } from '../errors/app-error.ts'
import { lockAsAdministrator, type AdministrationServices } from '../access/user-directory.ts'
import { isoTime } from '../text/iso-time.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Maximum number of listed invitations, and of listed members of each. */
const listedMax = 200
const listedMembersMax = 20

/** 128 random bits, in hex: links with other characters are cut off by some programs. */
const tokenBytes = 16

interface InvitationServices {
  readonly db: Database
  readonly now: () => number
}

export type ManageServices = InvitationServices & AdministrationServices

/**
 * Creates an invitation. The answer is the only place that ever holds its token.
 *
 * @throws AppError `forbidden` if the administrator has lost the role
 */
export async function createInvitation(
  services: ManageServices,
  administrator: Viewer,
  input: { readonly note: string; readonly expiresInDays: number; readonly maxUses: number },
): Promise<CreatedInvitation> {
  const token = randomBytes(tokenBytes).toString('hex')
  const createdAt = services.now()
  const row = await inTransaction(services.db, async (transaction) => {
    await lockAsAdministrator(services, transaction, administrator)
    const created = await transaction
      .insertInto('invitations')
      .values({
        id: randomUUID(),
        hash: hashToken(token),
        note: input.note,
        max_uses: input.maxUses,
        creator_id: administrator.id,
        creator_name: administrator.firstName,
        created_at: createdAt,
        expires_at: createdAt + input.expiresInDays * dayMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const { maxUses, expiresInDays } = input
    await recordAdminAction(transaction, administrator, {
      action: 'create_invitation',
      details: { invitation: created.seq, maxUses, expiresInDays },
      now: createdAt,
    })
    return created
  })
  return { ...toInvitation(row, [], createdAt), token }
}

/** Lists the newest invitations, newest first, with those who joined by them. */
export async function listInvitations({ db, now }: InvitationServices): Promise<readonly Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(listedMax)
    .execute()
  const members = await findMembers(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toInvitation(row, members.get(row.id) ?? [], now()))
}

/** Lists the invitations that a user created, newest first. */
export async function listOwnInvitations(
  db: Database,
  creatorId: string,
): Promise<readonly StoredInvitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(storedInvitation)
}

/**
 * Revokes an invitation: no account is created with it any more. Accounts that were created with it remain. Idempotent.
 *
 * @throws AppError `not_found`; `forbidden` if the administrator has lost the role
 */
export async function revokeInvitation(
  services: ManageServices,
  administrator: Viewer,
  { id }: { readonly id: string },
): Promise<{ id: string }> {
  await inTransaction(services.db, async (transaction) => {
    await lockAsAdministrator(services, transaction, administrator)
    const revokedAt = services.now()
    const row = await transaction
      .updateTable('invitations')
      .set({ revoked_at: revokedAt })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('seq')
      .executeTakeFirst()
    if (row) {
      await recordAdminAction(transaction, administrator, {
        action: 'revoke_invitation',
        details: { invitation: row.seq },
        now: revokedAt,
      })
      return
    }
    const known = await transaction
      .selectFrom('invitations')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (!known) throw new AppError('not_found', 'Invitation not found.')
  })
  return { id }
}

/** Describes the invitation of a link to its visitors. */
export async function describeInvitation(
  services: InvitationServices,
  token: string,
): Promise<InvitationFacts> {
  const row = await findByToken(services.db, token)
  if (!row) return { state: 'unknown', expiresAt: null }
  return { state: stateOf(row, services.now()), expiresAt: isoTime(row.expires_at) }
}

/** Finds the invitation of a token, if an account can be created with it now. */
export async function findOpenInvitation(
  { db, now }: InvitationServices,
  token: string,
): Promise<{ readonly id: string } | null> {
  const row = await findByToken(db, token)
  return row && stateOf(row, now()) === 'open' ? { id: row.id } : null
}

async function findByToken(db: Database, token: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('hash', '=', hashToken(token)).executeTakeFirst()
}

/** SHA-256 in hex, the only form in which a token is stored. A random token needs neither a salt nor a slow hash. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Reads the names of the latest accounts that were created with invitations, by invitation. */
async function findMembers(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('user')
        .select(['name', 'invitationId', 'createdAt'])
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('invitationId').orderBy('createdAt', 'desc'))
            .as('place'),
        )
        .where(isOneOf(db, 'invitationId', ids, 'text'))
        .as('members'),
    )
    .select(['name', 'invitationId'])
    .where('place', '<=', listedMembersMax)
    .orderBy('createdAt', 'desc')
    .execute()
  const members = new Map<string, string[]>()
  for (const { name, invitationId } of rows) {
    if (invitationId !== null) members.set(invitationId, [...(members.get(invitationId) ?? []), name])
  }
  return members
}

type InvitationRow = Selectable<InvitationsTable>

function stateOf(row: InvitationRow, now: number): InvitationState {
  if (row.revoked_at !== null) return 'revoked'
  if (row.uses >= row.max_uses) return 'used_up'
  return row.expires_at <= now ? 'expired' : 'open'
}

function toInvitation(row: InvitationRow, members: readonly string[], now: number): Invitation {
  return {
    ...storedInvitation(row),
    id: row.id,
    state: stateOf(row, now),
    createdBy: row.creator_name,
    members,
  }
}

function storedInvitation(row: InvitationRow): StoredInvitation {
  return {
    number: row.seq,
    note: row.note,
    uses: row.uses,
    maxUses: row.max_uses,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  }
}
