import { z } from 'zod'

/** Responses of REST: the types for its code, and the schemas for its OpenAPI description. */

const restPost = z
  .object({
    _id: z.string().describe('Id of the post.'),
    name: z.string().describe("The author's name, as shown in the gallery."),
    prompt: z.string(),
    photo: z.url().describe('Absolute URL of a JPEG.'),
  })
  .describe('A shared image.')

export type RestPost = z.infer<typeof restPost>

const succeeded = z.literal(true)

export const listAnswer = z.object({
  success: succeeded,
  data: z.array(restPost).describe('Oldest first.'),
})
export type ListAnswer = z.infer<typeof listAnswer>

export const shareAnswer = z.object({ success: succeeded, data: restPost })
export type ShareAnswer = z.infer<typeof shareAnswer>

export const pictureAnswer = z.object({
  success: succeeded,
  photo: z
    .string()
    .meta({ description: 'A JPEG in base64.', contentEncoding: 'base64', contentMediaType: 'image/jpeg' }),
})
export type PictureAnswer = z.infer<typeof pictureAnswer>

export const failureAnswer = z.object({
  success: z.literal(false),
  error: z.string().describe('A sentence for users.'),
})
export type FailureAnswer = z.infer<typeof failureAnswer>
