import { z } from 'zod'

/** What the REST door answers: the types that its code fills, and the schemas that its description shows. */

const restPost = z
  .object({
    _id: z.string().describe('The id of the post.'),
    name: z.string().describe("The author's name, as the gallery shows it."),
    prompt: z.string(),
    photo: z.url().describe('The absolute address of a JPEG.'),
  })
  .describe('A picture shared to the gallery.')

export type RestPost = z.infer<typeof restPost>

const succeeded = z.literal(true)

export const listAnswer = z.object({
  success: succeeded,
  data: z.array(restPost).describe('The oldest first.'),
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
  error: z.string().describe('A sentence for people.'),
})
export type FailureAnswer = z.infer<typeof failureAnswer>
