import { requireVisibleCollection } from '../access/visible-collection.ts'
import { inTransaction } from '../db/transaction.ts'
import { mailModerators } from '../mail/notices.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId } from '../procedures/inputs.ts'
import { createCollection, deleteCollection, updateCollection } from './change-collection.ts'
import { addPosts, movePost, removePosts } from './collection-posts.ts'
import { listCollections, readCollection } from './collection-queries.ts'
import { createInvitation, joinCollection, revokeInvitation } from './contributors.ts'
import {
  createInput,
  featureInput,
  joinInput,
  listInput,
  moveInput,
  postsInput,
  updateInput,
} from './inputs.ts'
import { reportInput } from '../posts/inputs.ts'
import { featureCollection } from './theme.ts'
import type { CollectionsServices } from './services.ts'

const { administratorProcedure, publicProcedure, router, signedInProcedure } =
  proceduresWith<CollectionsServices>()

const mayShare = signedInProcedure.meta({ scopes: ['share'] })

export const collectionsRouter = router({
  /** Lists one page of the public collections, newest first; with the caller's `ownerId` or `isMine`, also those that others don't see. */
  list: publicProcedure.input(listInput).query(async ({ ctx, input, signal }) => {
    ctx.work.add(input.limit)
    const viewer = await ctx.viewer()
    const list = () => listCollections(ctx.services, viewer, input)
    return input.search ? ctx.services.searches.run(ctx.clientNetwork(), signal, list) : list()
  }),

  /** Returns a collection; its posts are those of `posts.list` with `collectionId`. */
  get: publicProcedure
    .input(byId)
    .query(async ({ ctx, input }) => readCollection(ctx.services, input.id, await ctx.viewer())),

  /** Creates a collection without posts. */
  create: mayShare.input(createInput).mutation(createCollection),

  /** Changes a collection of the caller. Fields that are left out stay as they are. */
  update: mayShare.input(updateInput).mutation(updateCollection),

  /** Deletes a collection of the caller, or any for an administrator. Its posts remain. */
  delete: mayShare.input(byId).mutation(deleteCollection),

  /** Adds posts that the caller sees, the last one first; for contributors. */
  addPosts: mayShare.input(postsInput).mutation(addPosts),

  /** Removes posts: any for the owner, others those that they added. */
  removePosts: mayShare.input(postsInput).mutation(removePosts),

  /** Moves a post of a collection of the caller before another one, or to the end. */
  movePost: mayShare.input(moveInput).mutation(movePost),

  /** Reports a collection to the moderators, without the reporter; `not_found` also for a hidden or private one. */
  report: publicProcedure.input(reportInput).mutation(async ({ ctx, input: { id, reason, comment } }) => {
    const { services } = ctx
    await services.writeLimits.reports.consume(ctx.clientNetwork())
    await inTransaction(services.db, async (transaction) => {
      await requireVisibleCollection(transaction, id, null)
      const report = { collection_id: id, reason, comment, created_at: services.now() }
      await transaction.insertInto('collection_reports').values(report).execute()
      await mailModerators(services, transaction)
    })
    services.log.info({ collectionId: id, reason }, 'a collection was reported')
    return { id }
  }),

  /** Makes a collection the theme of the gallery until a time; one at a time. With `until: null` it ends. */
  feature: administratorProcedure.input(featureInput).mutation(featureCollection),

  /** Creates the link by which users join a collection of the caller; the former one ends. Only this answer has it. */
  createInvitation: signedInProcedure.input(byId).mutation(createInvitation),

  /** Ends the link by which users join. Those who have joined stay. */
  revokeInvitation: signedInProcedure.input(byId).mutation(revokeInvitation),

  /** Joins the collection of a link, and returns it. */
  join: signedInProcedure.input(joinInput).mutation(joinCollection),
})
