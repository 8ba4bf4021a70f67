import { judgePost } from './judge-post.ts'
import { listReportedPosts } from './list-reported-posts.ts'
import { listModeration } from './moderation-log.ts'
import { administratorProcedure, router } from '../trpc/init.ts'
import { byId } from '../trpc/inputs.ts'

/** For administrators; deleting a post is `posts.delete`. */
export const moderationRouter = router({
  /** The posts that were reported or are hidden. */
  listReported: administratorProcedure.query(({ ctx }) => listReportedPosts(ctx.services)),

  /** What administrators did last. */
  auditLog: administratorProcedure.query(({ ctx }) => listModeration(ctx.services)),

  /** Takes a post out of the gallery, until it is shown again. */
  hide: administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => judgePost(ctx.services, ctx.viewer, { ...input, action: 'hide' })),

  /** Shows a hidden post again. */
  unhide: administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => judgePost(ctx.services, ctx.viewer, { ...input, action: 'unhide' })),

  /** Leaves a post as it is, and forgets what was reported of it. */
  dismiss: administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => judgePost(ctx.services, ctx.viewer, { ...input, action: 'dismiss' })),
})
