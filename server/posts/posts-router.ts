import { messages } from '../../shared/errors.ts'
import { reportPost } from '../moderation/reports.ts'
import { publicProcedure, router, signedInProcedure } from '../trpc/init.ts'
import { byId, createPostInput, listPostsInput, reportInput } from '../trpc/inputs.ts'
import { listPosts } from './post-queries.ts'
import { createPost, deletePost } from './posts-service.ts'

export const postsRouter = router({
  /** Lists one page of the gallery, newest first. */
  list: publicProcedure.input(listPostsInput).query(({ ctx, input, signal }) => {
    ctx.work.add(input.limit)
    const list = () => listPosts(ctx.services, input, signal)
    return input.search ? ctx.services.searches.run(ctx.clientNetwork(), signal, list) : list()
  }),

  /** Shares one of the caller's images, or a photo as a data URL. */
  create: signedInProcedure
    .meta({ failure: messages.shareFailed })
    .input(createPostInput)
    .mutation(({ ctx, input }) => createPost(ctx.services, ctx.viewer, input)),

  /** Deletes a post of the caller, or any post for an administrator. */
  delete: signedInProcedure
    .input(byId)
    .mutation(({ ctx, input }) => deletePost(ctx.services, ctx.viewer, input)),

  /** Reports a post to the administrators. */
  report: publicProcedure.input(reportInput).mutation(async ({ ctx, input }) => {
    await ctx.services.writeLimits.reports.consume(ctx.clientNetwork())
    return reportPost(ctx.services, input)
  }),
})
