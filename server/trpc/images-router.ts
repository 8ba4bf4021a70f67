import { listImages } from '../images/list-images.ts'
import { quota } from '../images/quota.ts'
import { readPhoto } from '../images/read-photo.ts'
import { router, signedInProcedure } from './init.ts'
import { byId, generateInput, listImagesInput } from './inputs.ts'

export const imagesRouter = router({
  /** Makes a picture of a prompt and streams how it goes; the last event is `ready`. */
  generate: signedInProcedure
    .input(generateInput)
    .mutation(({ ctx, input, signal }) => ctx.services.generations.generate(ctx.viewer, input, signal)),

  /** The caller's own images, newest first. */
  mine: signedInProcedure
    .input(listImagesInput)
    .query(({ ctx, input }) => listImages(ctx.services, ctx.viewer, input)),

  /** The JPEG of one of the caller's own images, base64. */
  photo: signedInProcedure.input(byId).query(({ ctx, input }) => readPhoto(ctx.services, ctx.viewer, input)),

  /** What the caller used up today. */
  quota: signedInProcedure.query(({ ctx }) => quota(ctx.services, ctx.viewer)),
})
