import { messages } from '../../shared/errors.ts'
import { reportPost } from '../moderation/report-post.ts'
import { createPost } from './create-post.ts'
import { deletePost } from './delete-post.ts'
import { listPosts } from './list-posts.ts'
import { publicProcedure, router, signedInProcedure } from '../trpc/init.ts'
import { byId, createPostInput, listPostsInput, reportInput } from '../trpc/inputs.ts'

export const postsRouter = router({
  /** One page of the gallery, newest first. */
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

  /** Takes a post out of the gallery: one of the caller's own, or any for an administrator. */
  delete: signedInProcedure
    .input(byId)
    .mutation(({ ctx, input }) => deletePost(ctx.services, ctx.viewer, input)),

  /** Tells the administrators that a post should not be here. */
  report: publicProcedure.input(reportInput).mutation(async ({ ctx, input }) => {
    await ctx.services.writeLimits.reports.consume(ctx.clientNetwork())
    return reportPost(ctx.services, input)
  }),
})
