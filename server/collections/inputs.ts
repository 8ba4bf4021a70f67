import { z } from 'zod'
import { contributorKinds, descriptionLimit, postsPerCallMax, titleLimit } from '../../shared/collections.ts'
import { searchLimit } from '../../shared/limits.ts'
import { atMost, byId, id, page, text, visibility } from '../procedures/inputs.ts'
import { searchTerm } from '../text/search-text.ts'

const titleMissing = 'Please give the collection a title.'

const title = text('title', titleLimit, titleMissing)
  .refine((value) => value !== '', titleMissing)
  .describe(`Title. ${atMost('title', titleLimit)}`)

const description = text('description', descriptionLimit)

const contributors = z
  .enum(contributorKinds, `\`contributors\` must be ${contributorKinds.join(', ')}.`)
  .describe('Users who add posts: `owner`, also `invited` users, or all `members`.')

export const createInput = z.object({
  title,
  description: description.default(''),
  visibility: visibility
    .optional()
    .describe('Users who see the collection; the default of the account without it.'),
  contributors: contributors.default('owner'),
})

export const updateInput = byId.extend({
  title: title.optional(),
  description: description.optional(),
  visibility: visibility.optional(),
  contributors: contributors.optional(),
  coverPostId: id
    .nullable()
    .optional()
    .describe('A post of the collection that is its cover; null for the first one.'),
})

export const listInput = z
  .object({
    ownerId: id.optional().describe('Only collections of this user.'),
    isMine: z.literal(true).optional().describe('Only collections that the caller owns or has joined.'),
    postId: id.optional().describe('A post: each collection says whether it has it.'),
    search: text('search', searchLimit)
      .default('')
      .transform(searchTerm)
      .describe(`Part of a title or description, ignoring case. ${atMost('search', searchLimit)}`),
    ...page,
    limit: page.limit.transform((limit) => Math.min(limit, postsPerCallMax)),
  })
  .prefault({})

const idsSentence = `\`postIds\` must be a list of 1 to ${postsPerCallMax} ids.`

export const postsInput = byId.extend({
  postIds: z
    .array(id, idsSentence)
    .min(1, idsSentence)
    .max(postsPerCallMax, idsSentence)
    .transform((ids) => [...new Set(ids)]),
})

export const moveInput = byId.extend({
  postId: id,
  before: id.nullable().describe('Id of the post that it is to precede; null for the end.'),
})

export const joinInput = z.object({ token: z.string().max(200) })

const untilSentence = '`until` must be a date and time in ISO 8601 with `Z` or an offset, or null.'

export const featureInput = z.object({
  id,
  until: z.iso.datetime({ offset: true, error: untilSentence }).nullable(),
})

export type NewCollection = z.output<typeof createInput>
export type CollectionChanges = z.output<typeof updateInput>
export type PostsOfCollection = z.output<typeof postsInput>
export type Move = z.output<typeof moveInput>
export type CollectionQuery = z.output<typeof listInput>
