import { tracked } from '@trpc/server'
import { listEngines } from '../engines/engines.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, uploadInput } from '../procedures/inputs.ts'
import { readStream } from '../formats/form.ts'
import { generateInput, imageMonthsInput, listImagesInput, upscaleInput, watchInput } from './inputs.ts'
import { uploadImage } from './upload-image.ts'
import { deleteFailedImages, findOwnImage, findOwnImages, noSuchImage, toImage } from './images.ts'
import { listImageMonths, listImages } from './list-images.ts'
import { readQuota } from './read-quota.ts'
import { deleteImage, deletePermanently, emptyTrash, restoreImage } from './trash.ts'
import type { ImagesRouterServices } from './generation/generations.ts'

const { publicProcedure, router, signedInProcedure } = proceduresWith<ImagesRouterServices>()

const mayGenerate = signedInProcedure.meta({ scopes: ['generate'] })

/** Also for programs that generate images and read nothing else. */
const mayFollow = signedInProcedure.meta({ scopes: ['read', 'generate'] })

function uploadProcedure({ isForEdit }: { isForEdit: boolean }) {
  return mayGenerate.input(uploadInput).mutation(async ({ ctx, input }) => {
    const bytes = input instanceof Uint8Array ? input : await readStream(input)
    return uploadImage(ctx.services, ctx.viewer, bytes, isForEdit)
  })
}

export const imagesRouter = router({
  /** Queues a generation and returns immediately. `watch` reports its progress. */
  generate: mayGenerate.input(generateInput).mutation(async ({ ctx, input }) => ({
    images: await ctx.services.generations.generate(ctx.viewer, {
      ...input,
      requestDigest: ctx.requestDigest,
    }),
  })),

  /** Queues the enlargement of one of the caller's images, as `generate` does. The new image's recipe names it. */
  upscale: mayGenerate.input(upscaleInput).mutation(async ({ ctx, input }) => ({
    images: await ctx.services.generations.upscale(ctx.viewer, input),
  })),

  /** Reports the state of the caller's images, and every change, until all are finished. Resumable. */
  watch: mayFollow.input(watchInput).subscription(async function* ({ ctx, input, signal }) {
    const { db, generations } = ctx.services
    const images = await findOwnImages(db, ctx.viewer, input.ids)
    for await (const { id, event } of generations.watch(images, input.lastEventId, signal)) {
      yield tracked(id, event)
    }
  }),

  /** Cancels a generation and returns the image, which may have succeeded before. */
  cancel: mayGenerate.input(byId).mutation(async ({ ctx, input }) => {
    const { db, generations } = ctx.services
    return generations.cancel(await findOwnImage(db, ctx.viewer, input.id))
  }),

  /** Moves one of the caller's images to the trash, with the posts that show it. Images without files, and those for edits, are deleted at once. */
  delete: signedInProcedure.input(byId).mutation(deleteImage),

  /** Restores one of the caller's images from the trash, with its posts and their likes. */
  restore: signedInProcedure.input(byId).mutation(restoreImage),

  /** Deletes an image in the caller's trash permanently, with its posts. */
  deletePermanently: signedInProcedure.input(byId).mutation(deletePermanently),

  /** Deletes all images in the caller's trash permanently, and returns their number. */
  emptyTrash: signedInProcedure.mutation(({ ctx }) => emptyTrash(ctx.services, ctx.viewer)),

  /** Deletes the caller's failed images, and returns their number. */
  deleteFailed: signedInProcedure.mutation(({ ctx }) => deleteFailedImages(ctx.services.db, ctx.viewer)),

  /**
   * Lists the caller's generated images with their posts, newest first: all, or those that failed. `shared` lists images
   * with posts, also uploaded ones, the one that was last shared first; `trash` the images in the trash, the one that was last
   * deleted first. Canceled ones are listed where nothing else narrows the list, and not counted.
   */
  list: signedInProcedure.input(listImagesInput).query(({ ctx, input }) => {
    ctx.work.add(input.limit)
    return listImages(ctx.services, ctx.viewer, input)
  }),

  /** Counts the images of such a list by the month of their creation, the newest first. */
  months: signedInProcedure.input(imageMonthsInput).query(listImageMonths),

  /** Returns one of the caller's images. */
  get: mayFollow
    .input(byId)
    .query(async ({ ctx, input }) => toImage(await findOwnImage(ctx.services.db, ctx.viewer, input.id))),

  /** Returns a link to one of the caller's images, which opens without credentials for an hour. */
  link: mayFollow.input(byId).query(async ({ ctx, input }) => {
    const { id: imageId, state } = await findOwnImage(ctx.services.db, ctx.viewer, input.id)
    if (state !== 'succeeded') throw noSuchImage()
    return { path: ctx.services.imageLinks.create({ imageId, format: 'jpeg', quality: undefined }) }
  }),

  /** Stores a JPEG, PNG or WebP as an image of the caller, from the form field `file` or from the body. */
  upload: uploadProcedure({ isForEdit: false }),

  /**
   * Stores a mask, or an image that is only edited, as `upload` does. It is not listed until it is shared or uploaded by `upload`, and
   * deleted once it is a week old and no image names it.
   */
  uploadForEdit: uploadProcedure({ isForEdit: true }),

  /** Returns the caller's daily quota. */
  quota: mayFollow.query(({ ctx }) => readQuota(ctx.services, ctx.viewer)),
})

export const enginesRouter = router({
  /** Lists the engines that the caller may use, the default first. */
  list: publicProcedure.query(async ({ ctx }) => {
    const { db, engines, readOptions } = ctx.services
    const viewer = await ctx.viewer()
    return { engines: await listEngines(engines, await readOptions(db), viewer?.role ?? 'member') }
  }),
})
