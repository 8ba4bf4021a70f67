import type { ReportDecision } from '../../shared/moderation.ts'
import { administratorProcedure, router } from '../trpc/init.ts'
import { byId, isSensitive } from '../trpc/inputs.ts'
import { listModeration } from './audit-log.ts'
import { moderatePost } from './moderate-post.ts'
import { listReportedPosts } from './reports.ts'
import { setSensitive } from './set-sensitive.ts'

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

  /** Marks a post as sensitive, so that its image is blurred until a visitor asks for it, or removes the mark. */
  setSensitive: administratorProcedure
    .input(byId.extend({ isSensitive }))
    .mutation(({ ctx, input }) => setSensitive(ctx.services, ctx.viewer, input)),
})

function moderate(action: ReportDecision) {
  return administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => moderatePost(ctx.services, ctx.viewer, { ...input, action }))
}
