import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { invitationDaysMax, invitationNoteLimit, invitationUsesMax } from '../../shared/invitations.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { hasRows } from '../db/rows.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { byId, text, wholeNumber } from '../procedures/inputs.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { stateOf, storedInvitation, type InvitationRow } from './invitations.ts'
import { hashToken } from '../text/hash-token.ts'

interface InvitationServices extends UserServices, AdministrationServices {
  readonly config: { readonly auth: { readonly kind: 'local' | 'clerk' } }
}

const { administratorProcedure, router } = proceduresWith<InvitationServices>()

/** Maximum number of listed invitations, and of listed members of each. */
const listedMax = 200
const listedMembersMax = 20

/** 128 random bits, in hex: links with other characters are cut off by some programs. */
const tokenBytes = 16

const createInput = z.object({
  note: text('note', invitationNoteLimit).default(''),
  expiresInDays: wholeNumber('`expiresInDays`', 1, invitationDaysMax).default(7),
  maxUses: wholeNumber('`maxUses`', 1, invitationUsesMax).default(1),
})

/** Rejects calls on a site whose accounts are at a hosted service, which has invitations of its own. */
const localAccounts = administratorProcedure.use(({ ctx, next }) => {
  if (ctx.services.config.auth.kind !== 'local') {
    throw new AppError('bad_input', describedDetail('accounts_elsewhere'))
  }
  return next()
})

/** Links by which users create an account. */
export const invitationsRouter = router({
  /** The newest 200 invitations, newest first, without their tokens. */
  list: localAccounts.query(async ({ ctx: { services } }) => {
    const rows = await services.db
      .selectFrom('invitations')
      .selectAll()
      .orderBy('seq', 'desc')
      .limit(listedMax)
      .execute()
    const ids = rows.map(({ id }) => id)
    const members = await findMembers(services.db, ids)
    const now = services.now()
    return { invitations: rows.map((row) => toInvitation(row, members.get(row.id) ?? [], now)) }
  }),

  /** Creates an invitation. The answer is the only one that contains `token`; the link is `/invitation/TOKEN`. */
  create: localAccounts.input(createInput.prefault({})).mutation(({ ctx: { services, viewer }, input }) => {
    const { note, maxUses, expiresInDays } = input
    const token = randomBytes(tokenBytes).toString('hex')
    const now = services.now()
    return asAdministrator(services, viewer, async (transaction, record) => {
      const row = await transaction
        .insertInto('invitations')
        .values({
          id: randomUUID(),
          hash: hashToken(token),
          note,
          max_uses: maxUses,
          creator_id: viewer.id,
          creator_name: viewer.firstName,
          created_at: now,
          expires_at: now + expiresInDays * msPerDay,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      const details = { invitation: row.seq, maxUses, expiresInDays }
      await record({ action: 'create_invitation', details })
      return { ...toInvitation(row, [], now), token }
    })
  }),

  /** Revokes an invitation: no account is created with it any more. Accounts that were created with it remain. Idempotent. */
  revoke: localAccounts.input(byId).mutation(({ ctx: { services, viewer }, input: { id } }) =>
    asAdministrator(services, viewer, async (transaction, record) => {
      const row = await transaction
        .updateTable('invitations')
        .set({ revoked_at: services.now() })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returning('seq')
        .executeTakeFirst()
      if (row) await record({ action: 'revoke_invitation', details: { invitation: row.seq } })
      else if (!(await hasRows(transaction.selectFrom('invitations').select('id').where('id', '=', id)))) {
        throw new AppError('not_found', 'Invitation not found.')
      }
      return { id }
    }),
  ),
})

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

/** Describes an invitation to administrators. @param members names of the accounts that still exist, the newest first */
function toInvitation(row: InvitationRow, members: readonly string[], now: number) {
  return {
    ...storedInvitation(row),
    id: row.id,
    state: stateOf(row, now),
    /** Name of the administrator who created it. */
    createdBy: row.creator_name,
    members,
  }
}
