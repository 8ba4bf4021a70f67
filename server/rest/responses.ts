import { z } from 'zod'

/** Responses of REST: the types for its code, and the schemas for its OpenAPI description. */

const restPost = z
  .object({
    _id: z.string().describe('Id of the post.'),
    name: z.string().describe("The author's name, as shown in the gallery."),
    prompt: z.string().describe('Empty if the author hides it.'),
    photo: z.url().describe('Absolute URL of a JPEG.'),
    sensitive: z
      .literal(true)
      .optional()
      .describe('Only if the image is marked as sensitive: blur it until a user asks for it.'),
  })
  .describe('A shared image.')

export type RestPost = z.infer<typeof restPost>

const succeeded = z.literal(true)

export const listResponse = z.object({
  success: succeeded,
  data: z.array(restPost).describe('Oldest first.'),
})
export type ListResponse = z.infer<typeof listResponse>

export const shareResponse = z.object({ success: succeeded, data: restPost })
export type ShareResponse = z.infer<typeof shareResponse>

export const imageResponse = z.object({
  success: succeeded,
  photo: z
    .string()
    .meta({ description: 'A JPEG in base64.', contentEncoding: 'base64', contentMediaType: 'image/jpeg' }),
})
export type ImageResponse = z.infer<typeof imageResponse>

export const failureResponse = z.object({
  success: z.literal(false),
  error: z.string().describe('A sentence for users.'),
})
export type FailureResponse = z.infer<typeof failureResponse>
