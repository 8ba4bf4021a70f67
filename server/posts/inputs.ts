import { z } from 'zod'
import { messages } from '../../shared/errors.ts'
import { defaultAuthorName, nameLimit, searchLimit } from '../../shared/limits.ts'
import { imageShapes } from '../../shared/image-files.ts'
import { reportCommentLimit, reportReasons } from '../../shared/moderation.ts'
import { postSorts, topPeriods } from '../../shared/posts.ts'
import {
  atMost,
  id,
  isSensitive,
  page,
  position,
  optional,
  prompt,
  text,
  visibility,
} from '../procedures/inputs.ts'

const authorName = text('name', nameLimit).transform((value) => value || defaultAuthorName)

const name = authorName
  .default(defaultAuthorName)
  .describe(
    `Name of the author in the gallery; ${defaultAuthorName} by default. ${atMost('name', nameLimit)}`,
  )

const hidePrompt = z
  .boolean()
  .describe('True if only the author sees the prompt. Others can’t search for it either.')

export const listPostsInput = z
  .object({
    search: text('search', searchLimit)
      .default('')
      .describe(
        `Part of an author's name or of a prompt, ignoring case; all posts without it. ${atMost('search', searchLimit)}`,
      ),
    ...page,
    until: position.describe(
      'Cursor at which the page ends at the latest, if the start of the next page is known; for `sort` `new`.',
    ),
    sort: z
      .enum(postSorts, '`sort` must be "new" or "top".')
      .default('new')
      .describe('`new` lists the newest posts first, `top` the most liked.'),
    period: z
      .enum(topPeriods, '`period` must be "week", "month" or "all".')
      .optional()
      .describe('Only posts of the last 7 or 30 days, in UTC; for `sort` `top`. All by default.'),
    authorId: id.optional().describe('Only posts of this author.'),
    shape: z
      .enum(imageShapes, '`shape` must be "square", "landscape" or "portrait".')
      .optional()
      .describe('Only posts whose images have this shape.'),
    engine: id.optional().describe('Only posts whose images are from the engine of this id.'),
    isLiked: z.literal(true).optional().describe('Only posts with likes; for `sort` `top` without `search`.'),
    collectionId: id
      .optional()
      .describe(
        'Only posts of this collection that the caller sees, in its order; without conditions, or the most liked of all.',
      ),
    remixOf: id.optional().describe('Only remixes of this post, newest first; without other conditions.'),
  })
  .refine(({ sort, period }) => sort === 'top' || period === undefined, '`period` requires `sort` `top`.')
  .refine(({ sort, until }) => sort === 'new' || until === undefined, '`until` requires `sort` `new`.')
  .refine(
    ({ sort, search: term, isLiked }) => (sort === 'top' && term === '') || isLiked === undefined,
    '`isLiked` requires `sort` `top` and can’t be combined with `search`.',
  )
  .refine(
    ({ remixOf, search: term, authorId: author, sort }) =>
      remixOf === undefined || (term === '' && author === undefined && sort === 'new'),
    '`remixOf` can’t be combined with `search`, `authorId` or `sort`.',
  )
  .refine(
    ({ remixOf, shape, engine }) => remixOf === undefined || (shape ?? engine) === undefined,
    '`remixOf` can’t be combined with `shape` or `engine`.',
  )
  .refine(
    ({ collectionId, search: term, authorId, remixOf, shape, engine, isLiked, period }) =>
      collectionId === undefined ||
      (term === '' && (authorId ?? remixOf ?? shape ?? engine ?? isLiked ?? period) === undefined),
    '`collectionId` can’t be combined with conditions.',
  )
  .prefault({})

export const authorInput = z.object({ authorId: id })

export const similarPostsInput = z.object({ id, limit: page.limit })

export const wordsInput = z.object({ limit: page.limit }).prefault({})

export const createPostInput = z
  .object(
    {
      name,
      prompt: prompt(messages.shareIncomplete),
      imageId: optional(id).describe("Id of one of the caller's images."),
      photo: optional(z.string('`photo` must be a data URL.')).describe(
        'JPEG, PNG or WebP as a data URL, at most 20 MB and 40 megapixels; instead of `imageId`.',
      ),
      visibility: visibility
        .optional()
        .describe('Users who see the post; the default of the account without it.'),
      hidePrompt: hidePrompt.optional(),
      isSensitive: isSensitive.optional(),
    },
    messages.shareIncomplete,
  )
  .refine(({ imageId, photo }) => imageId !== undefined || photo, messages.shareIncomplete)
  .refine(
    ({ imageId, photo }) => imageId === undefined || photo === undefined,
    'Pass either `imageId` or `photo`.',
  )

export const updatePostInput = z.object({
  id,
  name: authorName.optional(),
  prompt: prompt(messages.promptMissing).optional(),
  visibility: visibility.optional(),
  hidePrompt: hidePrompt.optional(),
  isSensitive: isSensitive.optional(),
})

export const reportInput = z.object({
  id,
  reason: z.enum(reportReasons, 'Please choose a reason'),
  comment: text('report', reportCommentLimit).default(''),
})

type ListPostsInput = z.output<typeof listPostsInput>
export type PostQuery = Omit<ListPostsInput, 'cursor' | 'until'> &
  Partial<Pick<ListPostsInput, 'cursor' | 'until'>>
export type NewPost = z.output<typeof createPostInput>
export type PostChanges = z.output<typeof updatePostInput>
