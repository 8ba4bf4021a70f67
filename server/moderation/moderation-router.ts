import { administratorProcedure, router } from '../trpc/init.ts'
import { byId } from '../trpc/inputs.ts'
import { listModeration } from './audit-log.ts'
import { moderatePost, type PostModeration } from './moderate-post.ts'
import { listReportedPosts } from './reports.ts'

/** Moderation by administrators. They delete posts with `posts.delete`. */
export const moderationRouter = router({
  /** Posts that are reported or hidden. */
  listReported: administratorProcedure.query(({ ctx }) => listReportedPosts(ctx.services)),

  /** Latest actions of administrators. */
  auditLog: administratorProcedure.query(({ ctx }) => listModeration(ctx.services)),

  /** Hides a post, with its image and every other post of that image. */
  hide: moderate('hide'),

  /** Unhides a post, with its image and every other post of that image. */
  unhide: moderate('unhide'),

  /** Deletes the reports of a post. */
  dismiss: moderate('dismiss'),
})

function moderate(action: PostModeration) {
  return administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => moderatePost(ctx.services, ctx.viewer, { ...input, action }))
}
