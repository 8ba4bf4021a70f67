import { z } from 'zod'
import { messages } from '../../shared/errors.ts'
import { defaultAuthorName, nameLimit, searchLimit } from '../../shared/limits.ts'
import { reportCommentLimit, reportReasons } from '../../shared/moderation.ts'
import { reportPost } from '../moderation/reports.ts'
import { publicProcedure, router, signedInProcedure } from '../trpc/init.ts'
import { atMost, byId, id, idPattern, notAnObject, page, position, prompt, text } from '../trpc/inputs.ts'
import { listPosts } from './post-queries.ts'
import { readPost } from './read-post.ts'
import { createPost, deletePost } from './posts-service.ts'

const nameTooLong = atMost('A name', nameLimit)

const name = text('`name` must be a string.', 'A name', nameLimit)
  .default(defaultAuthorName)
  .transform((value) => value || defaultAuthorName)
  .describe(`Name of the author in the gallery; ${defaultAuthorName} by default. ${nameTooLong}`)

const searchTooLong = atMost('A search term', searchLimit)

const search = text('`search` must be a string.', 'A search term', searchLimit)

const ownImageId = z
  .string('`imageId` must be a string.')
  .regex(idPattern, '`imageId` is not valid.')
  .describe("Id of one of the caller's images.")

const listPostsInput = z
  .object(
    {
      search: search
        .default('')
        .describe(
          `Part of an author's name or of a prompt, ignoring case; all posts without it. ${searchTooLong}`,
        ),
      ...page,
      until: position.describe(
        'Cursor at which the page ends at the latest, if the start of the next page is known.',
      ),
    },
    notAnObject,
  )
  .prefault({})

const createPostInput = z
  .object(
    {
      name,
      prompt: prompt(messages.shareIncomplete),
      imageId: ownImageId.optional(),
      photo: z
        .string('`photo` must be a data URL.')
        .optional()
        .describe('JPEG, PNG or WebP as a data URL, at most 20 MB and 40 megapixels; instead of `imageId`.'),
    },
    messages.shareIncomplete,
  )
  .refine(({ imageId, photo }) => imageId !== undefined || photo, messages.shareIncomplete)
  .refine(
    ({ imageId, photo }) => imageId === undefined || photo === undefined,
    'Pass either `imageId` or `photo`.',
  )

const reportComment = text('`comment` must be a string.', 'A report', reportCommentLimit)

const reportInput = z.object(
  { id, reason: z.enum(reportReasons, 'Please choose a reason'), comment: reportComment.default('') },
  notAnObject,
)

export const postsRouter = router({
  /** Lists one page of the gallery, newest first. */
  list: publicProcedure.input(listPostsInput).query(({ ctx, input, signal }) => {
    ctx.work.add(input.limit)
    const list = () => listPosts(ctx.services, input, signal)
    return input.search ? ctx.services.searches.run(ctx.clientNetwork(), signal, list) : list()
  }),

  /** Returns one post, with the recipe of its image. */
  get: publicProcedure
    .input(byId)
    .query(async ({ ctx, input }) => (await readPost(ctx.services.db, input.id)).post),

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
