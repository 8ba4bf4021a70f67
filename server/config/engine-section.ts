import { z } from 'zod'

/** Which image engine runs, with what it needs; one member for each kind. */
export type EngineConfig = RangoliEngineConfig

/** The embedded pattern drawer. */
export interface RangoliEngineConfig {
  readonly kind: 'rangoli'
}

/** The variables of the image engine, turned into one of the kinds. */
export const engineSection = z
  .object({
    IMAGE_ENGINE: z.enum(['rangoli', 'openai'], 'must be rangoli or openai.').optional(),
    OPENAI_API_KEY: z.string().trim().optional(),
    OPENAI_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address.' }).optional(),
    OPENAI_IMAGE_MODEL: z.string().trim().default('gpt-image-2'),
  })
  .transform((values, context): EngineConfig => {
    const kind =
      values.IMAGE_ENGINE ?? (values.OPENAI_API_KEY || values.OPENAI_BASE_URL ? 'openai' : 'rangoli')
    if (kind === 'rangoli') return { kind }
    if (!values.OPENAI_API_KEY && !values.OPENAI_BASE_URL) {
      context.addIssue({
        code: 'custom',
        path: ['OPENAI_API_KEY'],
        message:
          'is missing; IMAGE_ENGINE=openai needs it or OPENAI_BASE_URL. Set one, or set IMAGE_ENGINE=rangoli.',
      })
    }
    context.addIssue({
      code: 'custom',
      path: ['IMAGE_ENGINE'],
      message: 'the openai engine is not part of this version yet; set IMAGE_ENGINE=rangoli.',
    })
    return z.NEVER
  })
