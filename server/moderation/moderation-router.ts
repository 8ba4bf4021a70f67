import { z } from 'zod'
import { noteLimit } from '../../shared/moderation.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, id, isSensitive, text } from '../procedures/inputs.ts'
import { appealAgainst, listNotices, listReportedPosts } from './reports.ts'
import { countReported } from '../audit/waiting-reports.ts'
import { listModeration } from '../audit/moderation-log.ts'
import { listReportedCollections, moderateCollection } from './moderate-collection.ts'
import { moderatePost, setSensitive, type ModerationServices } from './moderate-post.ts'

const { moderatorProcedure, router, signedInProcedure } = proceduresWith<ModerationServices>()

const decision = byId.extend({ note: text('note', noteLimit).default('') })

const appealMissing = 'Please say why the post should be shown.'

const appealInput = z.object({
  postId: id,
  comment: text('appeal', noteLimit, appealMissing).refine((comment) => comment !== '', appealMissing),
})

/** Moderation by moderators and administrators, who also delete posts with `posts.delete`, and appeals of authors. */
export const moderationRouter = router({
  /** Posts that are reported or hidden. */
  listReported: moderatorProcedure.query(({ ctx }) => listReportedPosts(ctx.services)),

  /** Latest actions of administrators, or those on one post. */
  auditLog: moderatorProcedure
    .input(z.object({ postId: id.optional() }).default({}))
    .query(({ ctx, input }) => listModeration(ctx.services, input.postId)),

  /** Number of posts with reports or an open appeal, counted up to a limit. */
  countReported: moderatorProcedure.query(({ ctx }) => countReported(ctx.services)),

  /** Hides a post, with its image and every other post of that image. Its author reads the note. */
  hide: moderatorProcedure.input(decision).mutation((call) => moderatePost(call, 'hide')),

  /** Unhides a post, with its image and every other post of that image. */
  unhide: moderatorProcedure.input(byId).mutation((call) => moderatePost(call, 'unhide')),

  /** Deletes the reports of a post, and dismisses the appeal of its author. */
  dismiss: moderatorProcedure.input(byId).mutation((call) => moderatePost(call, 'dismiss')),

  /** Collections that are reported or hidden. */
  listReportedCollections: moderatorProcedure.query(({ ctx }) => listReportedCollections(ctx.services)),

  /** Hides a collection; its posts stay in the gallery. Its owner reads the note. */
  hideCollection: moderatorProcedure.input(decision).mutation((call) => moderateCollection(call, 'hide')),

  unhideCollection: moderatorProcedure.input(byId).mutation((call) => moderateCollection(call, 'unhide')),

  /** Deletes the reports of a collection. */
  dismissCollection: moderatorProcedure.input(byId).mutation((call) => moderateCollection(call, 'dismiss')),

  /** Marks every post of an image as sensitive, which blurs it until a visitor asks for it, or removes the mark. */
  setSensitive: moderatorProcedure.input(byId.extend({ isSensitive })).mutation(setSensitive),

  /** Decisions about the viewer's own posts. */
  notices: signedInProcedure.query(({ ctx }) => listNotices(ctx.services, ctx.viewer)),

  /** Appeals against the decision to hide an own post, once for each decision. */
  appeal: signedInProcedure.input(appealInput).mutation(appealAgainst),
})
