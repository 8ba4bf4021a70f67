import { tracked } from '@trpc/server'
import { router, signedInProcedure } from '../trpc/init.ts'
import { byId, generateInput, listImagesInput, watchInput } from '../trpc/inputs.ts'
import { deleteImage, findOwnImage, findOwnImages, listImages, toImage } from './images.ts'
import { quota } from './quota.ts'

export const imagesRouter = router({
  /** Queues a generation and returns at once; `watch` reports how it goes on. */
  generate: signedInProcedure.input(generateInput).mutation(async ({ ctx, input }) => ({
    images: await ctx.services.generations.generate(ctx.viewer, input),
  })),

  /** Reports the state of the caller's images, and every change, until all are finished. Resumable. */
  watch: signedInProcedure.input(watchInput).subscription(async function* ({ ctx, input, signal }) {
    const { db, generations } = ctx.services
    const images = await findOwnImages(db, ctx.viewer, input.ids)
    for await (const { id, event } of generations.watch(images, input.lastEventId, signal)) {
      yield tracked(id, event)
    }
  }),

  /** Cancels a generation. Returns the image as it then is, succeeded if it was faster. */
  cancel: signedInProcedure.input(byId).mutation(async ({ ctx, input }) => {
    const { db, generations } = ctx.services
    return generations.cancel(await findOwnImage(db, ctx.viewer, input.id))
  }),

  /** Deletes one of the caller's images permanently, with the posts that show it. */
  delete: signedInProcedure
    .input(byId)
    .mutation(({ ctx, input }) => deleteImage(ctx.services, ctx.viewer, input.id)),

  /** Images that the caller has generated, newest first. */
  list: signedInProcedure.input(listImagesInput).query(({ ctx, input }) => {
    ctx.work.add(input.limit)
    return listImages(ctx.services, ctx.viewer, input)
  }),

  /** One of the caller's images. */
  get: signedInProcedure
    .input(byId)
    .query(async ({ ctx, input }) => toImage(await findOwnImage(ctx.services.db, ctx.viewer, input.id))),

  /** The caller's quota of the day. */
  quota: signedInProcedure.query(({ ctx }) => quota(ctx.services, ctx.viewer)),
})
