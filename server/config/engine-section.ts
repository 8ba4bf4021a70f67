import { z } from 'zod'
import { endpointUrl } from './variables.ts'

/** Which image engine runs, with what it needs; one member for each kind. */
export type EngineConfig = RangoliEngineConfig | OpenAiEngineConfig

/** The embedded pattern drawer. */
export interface RangoliEngineConfig {
  readonly kind: 'rangoli'
}

/** The OpenAI Images API, or a server that speaks it. */
export interface OpenAiEngineConfig {
  readonly kind: 'openai'
  /** Null for servers that need none. */
  readonly apiKey: string | null
  /** Null: OpenAI itself. */
  readonly baseUrl: string | null
  readonly model: string
}

/** The variables of the image engine, turned into one of the kinds. */
export const engineSection = z
  .object({
    IMAGE_ENGINE: z.enum(['rangoli', 'openai'], 'must be rangoli or openai.').optional(),
    OPENAI_API_KEY: z.string().trim().optional(),
    OPENAI_BASE_URL: endpointUrl.optional(),
    OPENAI_IMAGE_MODEL: z.string().trim().default('gpt-image-2'),
  })
  .transform((values, context): EngineConfig => {
    const kind =
      values.IMAGE_ENGINE ?? (values.OPENAI_API_KEY || values.OPENAI_BASE_URL ? 'openai' : 'rangoli')
    if (kind === 'rangoli') return { kind }
    const { OPENAI_API_KEY: apiKey = null, OPENAI_BASE_URL: baseUrl = null } = values
    if (apiKey || baseUrl) return { kind, apiKey, baseUrl, model: values.OPENAI_IMAGE_MODEL }
    context.addIssue({
      code: 'custom',
      path: ['OPENAI_API_KEY'],
      message:
        'is missing; IMAGE_ENGINE=openai needs it or OPENAI_BASE_URL. Set one, or set IMAGE_ENGINE=rangoli.',
    })
    return z.NEVER
  })
