import { z } from 'zod'
import { invitationDaysMax, invitationNoteLimit, invitationUsesMax } from '../../shared/invitations.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, notAnObject, text } from '../procedures/inputs.ts'
import { createInvitation, listInvitations, revokeInvitation, type ManageServices } from './invitations.ts'

export interface LocalServices {
  readonly config: { readonly auth: { readonly kind: 'local' | 'clerk' } }
}

const { administratorProcedure, router } = proceduresWith<ManageServices & LocalServices>()

const daysSentence = `\`expiresInDays\` must be a whole number from 1 to ${invitationDaysMax}.`
const usesSentence = `\`maxUses\` must be a whole number from 1 to ${invitationUsesMax.toLocaleString('en')}.`

const createInput = z.object(
  {
    note: text('`note` must be a string.', 'note', invitationNoteLimit).default(''),
    expiresInDays: z.int(daysSentence).min(1, daysSentence).max(invitationDaysMax, daysSentence).default(7),
    maxUses: z.int(usesSentence).min(1, usesSentence).max(invitationUsesMax, usesSentence).default(1),
  },
  notAnObject,
)

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
  list: localAccounts.query(async ({ ctx }) => ({ invitations: await listInvitations(ctx.services) })),

  /** Creates an invitation. The answer is the only one that contains `token`; the link is `/invitation/TOKEN`. */
  create: localAccounts
    .input(createInput.prefault({}))
    .mutation(({ ctx, input }) => createInvitation(ctx.services, ctx.viewer, input)),

  /** Revokes an invitation. Accounts that were created with it remain. */
  revoke: localAccounts
    .input(byId)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.services, ctx.viewer, input)),
})
