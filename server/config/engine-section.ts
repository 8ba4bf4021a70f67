import { z } from 'zod'
import { defaultOpenAiModel, readEnginesFile } from './engines-file.ts'
import { endpointUrl } from './variables.ts'

/** Configuration of an image engine. */
export type EngineConfig =
  | RangoliEngineConfig
  | OpenAiEngineConfig
  | Automatic1111EngineConfig
  | ComfyUiEngineConfig
  | ChatEngineConfig

/** Configuration of all image engines; the first is the default. */
export type EngineConfigs = readonly [EngineConfig, ...EngineConfig[]]

interface EngineIdentity {
  /** Unique among the engines: 1 to 40 lowercase letters, digits and hyphens. Stored with images. */
  readonly id: string
  /** Name for users: 1 to 60 characters. */
  readonly label: string
}

/** The embedded engine, which draws patterns. */
export interface RangoliEngineConfig extends EngineIdentity {
  readonly kind: 'rangoli'
}

/** The OpenAI Images API, or a compatible server. */
export interface OpenAiEngineConfig extends EngineIdentity {
  readonly kind: 'openai'
  /** Null for servers without authentication. */
  readonly apiKey: string | null
  /** Null: OpenAI. */
  readonly baseUrl: string | null
  readonly model: string
  readonly settings: OpenAiSettings
}

/** Names of the settings, for messages to the operator. */
export interface OpenAiSettings {
  readonly apiKey: string
  readonly url: string
  readonly model: string
}

/** Environment variables of the single engine. */
export const environmentSettings: OpenAiSettings = {
  apiKey: 'OPENAI_API_KEY',
  url: 'OPENAI_BASE_URL',
  model: 'OPENAI_IMAGE_MODEL',
}

/** Sampling of Stable Diffusion servers; null: the default of the engine. */
interface SamplingConfig {
  readonly steps: number | null
  readonly sampler: string | null
  readonly scheduler: string | null
  readonly cfgScale: number | null
}

/** The API of AUTOMATIC1111, which Forge, SD.Next and others implement. */
export interface Automatic1111EngineConfig extends EngineIdentity, SamplingConfig {
  readonly kind: 'automatic1111'
  readonly url: string
  /** Title, model name or file name; null: the one that the server has loaded. */
  readonly model: string | null
  /** Credentials of HTTP Basic authentication, both or neither. */
  readonly username: string | null
  readonly password: string | null
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>
}

/** ComfyUI, with a workflow of its own or the built-in one. */
export interface ComfyUiEngineConfig extends EngineIdentity, SamplingConfig {
  readonly kind: 'comfyui'
  readonly url: string
  /** Null: the built-in text-to-image workflow, with `model`. */
  readonly workflow: ComfyUiWorkflow | null
  /** File name of a checkpoint, or the value of %model% in `workflow`; not null without `workflow`. */
  readonly model: string | null
  /** Headers of each request, and of the WebSocket. */
  readonly headers: Readonly<Record<string, string>>
}

/** Workflow in ComfyUI's API format: nodes by id. Strings may contain placeholders such as %prompt%. */
export type ComfyUiWorkflow = Readonly<Record<string, ComfyUiNode>>

export interface ComfyUiNode {
  readonly class_type: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

/** Chat completions with images, as OpenRouter and other gateways have them. */
export interface ChatEngineConfig extends EngineIdentity {
  readonly kind: 'chat'
  readonly url: string
  /** Null for servers without authentication. */
  readonly apiKey: string | null
  readonly model: string
}

/** The embedded engine as configured without an engines file. */
export const embeddedEngine: RangoliEngineConfig = { kind: 'rangoli', id: 'rangoli', label: 'Patterns' }

/** Variables that configure a single engine. */
const singleEngineVariables = [
  'IMAGE_ENGINE',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_IMAGE_MODEL',
] as const

/**
 * Creates the schema of the variables that configure engines.
 *
 * @param env variables that an engines file may name
 * @param workingDirectory base of relative paths
 */
export function engineSection(env: Readonly<Record<string, string | undefined>>, workingDirectory: string) {
  return z
    .object({
      ENGINES_FILE: z.string().trim().optional(),
      IMAGE_ENGINE: z.enum(['rangoli', 'openai'], 'must be rangoli or openai.').optional(),
      OPENAI_API_KEY: z.string().trim().optional(),
      OPENAI_BASE_URL: endpointUrl('OPENAI_API_KEY').optional(),
      OPENAI_IMAGE_MODEL: z.string().trim().optional(),
    })
    .transform((values, context): EngineConfigs => {
      const addIssue = (variable: string, message: string) =>
        context.addIssue({ code: 'custom', path: [variable], message })

      if (values.ENGINES_FILE !== undefined) {
        const file = readEnginesFile(values.ENGINES_FILE, workingDirectory, env)
        for (const message of file.issues) addIssue('ENGINES_FILE', message)
        for (const variable of singleEngineVariables) {
          if (values[variable] === undefined || file.variables.has(variable)) continue
          addIssue(
            variable,
            `has no effect, as ENGINES_FILE configures the engines. Remove ${variable} or ENGINES_FILE.`,
          )
        }
        const [first, ...others] = file.engines
        return first ? [first, ...others] : z.NEVER
      }

      const kind =
        values.IMAGE_ENGINE ?? (values.OPENAI_API_KEY || values.OPENAI_BASE_URL ? 'openai' : 'rangoli')
      if (kind === 'rangoli') return [embeddedEngine]
      const { OPENAI_API_KEY: apiKey = null, OPENAI_BASE_URL: baseUrl = null } = values
      const model = values.OPENAI_IMAGE_MODEL ?? defaultOpenAiModel
      if (apiKey || baseUrl) {
        return [{ kind, id: 'openai', label: model, apiKey, baseUrl, model, settings: environmentSettings }]
      }
      addIssue(
        'OPENAI_API_KEY',
        'is missing; IMAGE_ENGINE=openai requires it or OPENAI_BASE_URL. Set one, or set IMAGE_ENGINE=rangoli.',
      )
      return z.NEVER
    })
}
