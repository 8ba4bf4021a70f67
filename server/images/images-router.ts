import { deleteImage } from './delete-image.ts'
import { listImages } from './list-images.ts'
import { quota } from './quota.ts'
import { readPhoto } from './read-photo.ts'
import { requireStreamReader, router, signedInProcedure } from '../trpc/init.ts'
import { byId, byImageId, generateInput, listImagesInput } from '../trpc/inputs.ts'

export const imagesRouter = router({
  /** Makes an image of a prompt and streams how it goes; the last event is `ready`. */
  generate: signedInProcedure.input(generateInput).mutation(({ ctx, input, signal }) => {
    requireStreamReader(ctx)
    return ctx.services.generations.generate(ctx.viewer, input, signal)
  }),

  /** Joins one of the caller's generations where it stands, or tells how it ended; streams like `generate`. */
  watch: signedInProcedure.input(byImageId).query(({ ctx, input, signal }) => {
    requireStreamReader(ctx)
    return ctx.services.generations.watch(ctx.viewer, input.imageId, signal)
  }),

  /** Gives up a generation; answers the image as it then is, ready if it was faster. */
  cancel: signedInProcedure
    .input(byImageId)
    .mutation(({ ctx, input }) => ctx.services.generations.cancel(ctx.viewer, input.imageId)),

  /** Deletes one of the caller's images for good, with the posts that show it. */
  delete: signedInProcedure
    .input(byId)
    .mutation(({ ctx, input }) => deleteImage(ctx.services, ctx.viewer, input)),

  /** The caller's own images, newest first. */
  mine: signedInProcedure.input(listImagesInput).query(({ ctx, input }) => {
    ctx.work.add(input.limit)
    return listImages(ctx.services, ctx.viewer, input)
  }),

  /** The JPEG of one of the caller's own images, base64. */
  photo: signedInProcedure
    .meta({ cost: 'photo' })
    .input(byId)
    .query(({ ctx, input }) => readPhoto(ctx.services, ctx.viewer, input)),

  /** What the caller used up today. */
  quota: signedInProcedure.query(({ ctx }) => quota(ctx.services, ctx.viewer)),
})
