import { z } from 'zod'
import { sortDirections, userSorts } from '../../shared/admin.ts'
import { searchLimit } from '../../shared/limits.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, tablePage, text } from '../procedures/inputs.ts'
import {
  getUser,
  listUsers,
  deleteUser,
  signOutUser,
  updateInput,
  updateUser,
  type ManageServices,
} from './manage-users.ts'

const { administratorProcedure, router } = proceduresWith<ManageServices>()

const listInput = z
  .object({
    search: text('search', searchLimit).default(''),
    ...tablePage,
    sort: z.enum(userSorts, `\`sort\` must be one of ${userSorts.join(', ')}.`).default('createdAt'),
    direction: z.enum(sortDirections, '`direction` must be asc or desc.').default('desc'),
  })
  .prefault({})

const deleteInput = byId.extend({
  posts: z.enum(['keep', 'remove'], '`posts` must be "keep" or "remove".'),
})

export const usersRouter = router({
  /** Users in the order of a field, by default the newest first: all, or those whose name or email contains a text, or who have an id. */
  list: administratorProcedure.input(listInput).query(({ ctx, input }) => {
    ctx.work.add(input.limit)
    return listUsers(ctx.services, input)
  }),

  get: administratorProcedure.input(byId).query(({ ctx, input }) => getUser(ctx.services, input.id)),

  /** Changes the own daily image limit, the own monthly budget or the role of a user, or blocks or unblocks them. Absent fields stay as they are. */
  update: administratorProcedure
    .input(updateInput)
    .mutation(({ ctx, input }) => updateUser(ctx.services, ctx.viewer, input)),

  /** Ends every session of a user. */
  signOut: administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => signOutUser(ctx.services, ctx.viewer, input)),

  /** Deletes a user with everything stored about them; with `posts: 'keep'`, posts that others see remain. */
  delete: administratorProcedure
    .input(deleteInput)
    .mutation(({ ctx, input }) => deleteUser(ctx.services, ctx.viewer, input)),
})
