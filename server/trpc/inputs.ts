import { z } from 'zod'
import { messages } from '../../shared/errors.ts'
import {
  defaultAuthorName,
  nameLimit,
  pageSize,
  pageSizeMax,
  promptLimit,
  searchLimit,
  watchedImagesMax,
  type TextLimit,
} from '../../shared/limits.ts'
import { reportReasons, reportCommentLimit } from '../../shared/moderation.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { apiKeyLifetimes } from '../../shared/api-keys.ts'
import { cleanText } from '../text/clean-text.ts'

/** Input schemas of the procedures, for both transports. Every issue has a message for users. */

const objectSentence = 'The input must be an object.'

const inEnglish = new Intl.NumberFormat('en')

/** Message for a text that is too long. */
function atMost(what: string, { characters }: TextLimit): string {
  return `${what} may have at most ${inEnglish.format(characters)} characters.`
}

/** @param what subject of the messages, such as `A prompt` */
function text(missing: string, what: string, limit: TextLimit) {
  const tooLong = {
    characters: atMost(what, limit),
    codeUnits: `${what} may have at most ${inEnglish.format(limit.codeUnits)} UTF-16 code units. Emoji and combined letters take several each: use fewer of them.`,
  }
  const isShort = (value: string, context: z.RefinementCtx) => {
    const exceeded = exceededLimit(value, limit)
    if (exceeded) context.addIssue(tooLong[exceeded])
  }
  // Checked before cleaning, which is costly for long input, and after it, as normalization may lengthen a text.
  return z.string(missing).superRefine(isShort).transform(cleanText).superRefine(isShort)
}

const promptTooLong = atMost('A prompt', promptLimit)

function prompt(missing: string) {
  return text(missing, 'A prompt', promptLimit)
    .refine((value) => value !== '', missing)
    .describe('What the image shows. ' + promptTooLong)
}

const nameTooLong = atMost('A name', nameLimit)

const name = text('The name must be a text.', 'A name', nameLimit)
  .default(defaultAuthorName)
  .transform((value) => value || defaultAuthorName)
  .describe(
    `The author's name, as the gallery shows it; without one it is ${defaultAuthorName}. ${nameTooLong}`,
  )

const searchTooLong = atMost('A search term', searchLimit)

const search = text('The search term must be a text.', 'A search term', searchLimit)

const idPattern = /^[A-Za-z0-9_-]{1,64}$/

const id = z.string('The id must be a text.').regex(idPattern, 'This is not an id.')

const ownImageId = z
  .string('The imageId must be a text.')
  .regex(idPattern, 'This imageId is not an id.')
  .describe("The id of one of the caller's own images.")

const cursor = z
  .string('The cursor must be a text.')
  .max(100, 'The cursor is not one that this server gave out.')

const limitSentence = `The limit must be a whole number from 1 to ${pageSizeMax.toLocaleString('en')}.`
const limit = z.int(limitSentence).min(1, limitSentence).max(pageSizeMax, limitSentence)

const requestKey = z
  .string('The request key must be a text.')
  .regex(/^[\x21-\x7e]{1,200}$/, 'The request key must have 1 to 200 printable ASCII characters.')
  .describe('A name of your own for this image: asking again by the same name makes no second one.')

const place = cursor.nullish().transform((value) => value ?? undefined)

const page = {
  cursor: place.describe('Where the page begins: what the page before it said, and nothing for the first.'),
  limit: limit.default(pageSize).describe('The most that the answer may hold.'),
}

/** Input of procedures that take an id. */
export const byId = z.object({ id }, objectSentence)

export const listPostsInput = z
  .object(
    {
      search: search
        .default('')
        .describe(
          `What author or prompt contain, in whatever case; everything without one. ${searchTooLong}`,
        ),
      ...page,
      until: place.describe(
        'Where the page ends at the latest: where the next one begins, if that is known.',
      ),
    },
    objectSentence,
  )
  .prefault({})

export const listImagesInput = z.object(page, objectSentence).prefault({})

const watchedIds = `The ids must be a list of 1 to ${watchedImagesMax} ids.`

export const watchInput = z.object(
  {
    ids: z
      .array(id, watchedIds)
      .min(1, watchedIds)
      .max(watchedImagesMax, watchedIds)
      .transform((ids) => [...new Set(ids)]),
    lastEventId: z.string('The lastEventId must be a text.').max(watchedImagesMax).nullish(),
  },
  objectSentence,
)

export const uploadExpected = 'Send the image as `file` of a form, or as application/octet-stream.'

/** Body of an upload, as tRPC parses it from the content type: a form, or a stream of bytes. */
export const uploadInput = z.custom<FormData | Blob | Uint8Array>(
  (body) => body instanceof FormData || body instanceof ReadableStream,
  uploadExpected,
) as unknown as z.ZodType<FormData | ReadableStream<Uint8Array>, FormData | Blob | Uint8Array>

export const generateInput = z.object(
  { prompt: prompt(messages.promptMissing), requestKey: requestKey.optional() },
  messages.promptMissing,
)

export const createPostInput = z
  .object(
    {
      name,
      prompt: prompt(messages.shareIncomplete),
      imageId: ownImageId.optional(),
      photo: z
        .string('The photo must be a data URL.')
        .optional()
        .describe(
          'A JPEG, PNG or WebP as a data URL, of at most 20 MB and 40 megapixels; instead of an imageId.',
        ),
    },
    messages.shareIncomplete,
  )
  .refine(({ imageId, photo }) => imageId !== undefined || photo, messages.shareIncomplete)
  .refine(
    ({ imageId, photo }) => imageId === undefined || photo === undefined,
    'Give either an imageId or a photo.',
  )

const reportComment = text('What you say of the post must be a text.', 'A report', reportCommentLimit)

export const reportInput = z.object(
  { id, reason: z.enum(reportReasons, 'Please choose a reason'), comment: reportComment.default('') },
  objectSentence,
)

const apiKeyNameMissing = 'Please give the API key a name.'

const apiKeyName = text('The name must be a text.', 'A name', nameLimit).refine(
  (value) => value !== '',
  apiKeyNameMissing,
)

const lifetimes = apiKeyLifetimes.slice(0, -1).join(', ')
const lifetimeSentence = `The field expiresInDays must be ${lifetimes} or ${apiKeyLifetimes.at(-1)}, or null for a key that does not expire.`

export const createApiKeyInput = z.object(
  { name: apiKeyName, expiresInDays: z.literal(apiKeyLifetimes, lifetimeSentence).nullable().default(null) },
  objectSentence,
)
