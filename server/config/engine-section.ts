import { z } from 'zod'
import { endpointUrl } from './variables.ts'

/** Configuration of the image engine. */
export type EngineConfig = RangoliEngineConfig | OpenAiEngineConfig

/** The embedded engine, which draws patterns. */
export interface RangoliEngineConfig {
  readonly kind: 'rangoli'
}

/** The OpenAI Images API, or a compatible server. */
export interface OpenAiEngineConfig {
  readonly kind: 'openai'
  /** Null for servers without authentication. */
  readonly apiKey: string | null
  /** Null: OpenAI. */
  readonly baseUrl: string | null
  readonly model: string
}

export const engineSection = z
  .object({
    IMAGE_ENGINE: z.enum(['rangoli', 'openai'], 'must be rangoli or openai.').optional(),
    OPENAI_API_KEY: z.string().trim().optional(),
    OPENAI_BASE_URL: endpointUrl('OPENAI_API_KEY').optional(),
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
        'is missing; IMAGE_ENGINE=openai requires it or OPENAI_BASE_URL. Set one, or set IMAGE_ENGINE=rangoli.',
    })
    return z.NEVER
  })
