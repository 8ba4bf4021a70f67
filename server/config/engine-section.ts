import path from 'node:path'
import { z } from 'zod'
import { environmentSettings, fileSettings, type OpenAiSettings } from '../engines/openai/setting-names.ts'
import { engineKinds, type EngineKind } from '../../shared/engines.ts'
import { findPlaceholderIssues, findPlaces } from '../engines/comfyui/workflow.ts'
import { endpointUrl, readTextFile } from './variables.ts'

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

/** Model of the openai engine if none is configured. */
const defaultOpenAiModel = 'gpt-image-2'

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

interface EnginesFile {
  readonly engines: readonly EngineConfig[]
  /** Lines without the variable. */
  readonly issues: readonly string[]
  /** Environment variables that the file names for secrets. */
  readonly variables: ReadonlySet<string>
}

/**
 * Reads and validates the engines file. No issue repeats a value that may be a secret.
 *
 * @param name path of the file
 * @param workingDirectory base of a relative path
 * @param env variables that the file may name
 */
function readEnginesFile(
  name: string,
  workingDirectory: string,
  env: Readonly<Record<string, string | undefined>>,
): EnginesFile {
  const variables = new Set<string>()
  const rejected = (issue: string): EnginesFile => ({ engines: [], issues: [`${name} ${issue}`], variables })

  const file = path.resolve(workingDirectory, name)
  const parsed = readJson(file)
  if ('issue' in parsed) return rejected(parsed.issue)
  if (!Array.isArray(parsed.value)) return rejected('must contain an array: put the engines into [ ].')
  if (parsed.value.length === 0) return rejected('must contain an engine. Add one, or remove ENGINES_FILE.')

  const schemas = engineSchemas(secretSchema(env, variables), path.dirname(file))
  const engines: EngineConfig[] = []
  const issues: string[] = []
  const indexById = new Map<string, number>()
  for (const [index, entry] of (parsed.value as unknown[]).entries()) {
    const { id, kind } = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {}
    const hasValidId = typeof id === 'string' && idPattern.test(id)
    const firstIndex = hasValidId ? indexById.get(id) : undefined
    const addIssue = (message: string) =>
      issues.push(
        `${name}, engine ${hasValidId && firstIndex === undefined ? id : `number ${index + 1}`}: ${message}`,
      )

    if (hasValidId && firstIndex !== undefined) {
      addIssue(`id ${id} is the id of engine number ${firstIndex + 1}, too. Choose another id.`)
    } else if (hasValidId) {
      indexById.set(id, index)
    }
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      addIssue('must be an object with id, kind and label.')
    } else if (!isEngineKind(kind)) {
      addIssue(`kind ${kind === undefined ? 'is missing; it ' : ''}must be one of ${engineKinds.join(', ')}.`)
    } else {
      const { data, error } = schemas[kind].safeParse(entry)
      if (data) engines.push(data)
      for (const issue of error?.issues ?? []) {
        for (const line of describeIssue(issue, kind, Object.keys(schemas[kind].in.shape))) addIssue(line)
      }
    }
  }
  return { engines, issues, variables }
}

function describeIssue(issue: z.core.$ZodIssue, kind: EngineKind, knownKeys: readonly string[]): string[] {
  const key = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [`${key} ${issue.message}`]
  if (key !== '') return issue.keys.map((unknown) => `${key}.${unknown} is unknown. Remove it.`)
  return issue.keys.map(
    (unknown) =>
      `${unknown} is not a setting of ${kind} engines, which have ${knownKeys.join(', ')}. Remove it, or correct its name.`,
  )
}

function isEngineKind(kind: unknown): kind is EngineKind {
  return engineKinds.some((known) => known === kind)
}

type SecretSchema = ReturnType<typeof secretSchema>

/** A string, or `{ "env": "NAME" }` for the value of an environment variable. */
function secretSchema(env: Readonly<Record<string, string | undefined>>, variables: Set<string>) {
  const reference = z.strictObject({ env: z.string() })
  return z.unknown().transform((value, context): string => {
    const reject = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const { data } = reference.safeParse(value)
    if (data) variables.add(data.env)
    const secret = data ? env[data.env] : value
    if (data && !secret?.toString().trim()) {
      return reject(`names the environment variable ${data.env}, which is not set. Set it.`)
    }
    if (typeof secret !== 'string') return reject('must be a string, or { "env": "NAME" }.')
    const trimmed = secret.trim()
    if (trimmed === '') return reject('must not be empty.')
    if (!/^[\x20-\x7e]+$/.test(trimmed)) return reject('must consist of printable ASCII characters.')
    return trimmed
  })
}

const idPattern = /^[a-z0-9-]{1,40}$/
const idMessage = 'must consist of 1 to 40 lowercase letters, digits and hyphens.'
const labelMessage = 'must have 1 to 60 characters, and no control characters.'

/** Text of a required key. */
function text(missing: string) {
  return z
    .string({ error: ({ input }) => (input === undefined ? `is missing; ${missing}` : 'must be a string.') })
    .trim()
    .min(1, { error: `is empty; ${missing}`, abort: true })
    .max(300, 'must have at most 300 characters.')
}

const identity = {
  id: text(`it ${idMessage}`).regex(idPattern, idMessage),
  label: text('set it to the name that users see.').regex(/^\P{Cc}{1,60}$/u, labelMessage),
}

function requiredUrl(example: string, credentials: string) {
  return text(`set it to the address of the server, such as ${example}.`).pipe(endpointUrl(credentials))
}

const stepsMessage = 'must be a whole number from 1 to 150.'
const cfgMessage = 'must be a number from 0 to 30.'

const sampling = {
  steps: z.int(stepsMessage).min(1, stepsMessage).max(150, stepsMessage).optional(),
  sampler: text('set it, or remove it.').optional(),
  scheduler: text('set it, or remove it.').optional(),
  cfg: z.number(cfgMessage).min(0, cfgMessage).max(30, cfgMessage).optional(),
}

function samplingConfig(values: { [Key in keyof typeof sampling]?: z.infer<(typeof sampling)[Key]> }) {
  const { steps = null, sampler = null, scheduler = null, cfg = null } = values
  return { steps, sampler, scheduler, cfgScale: cfg }
}

function headersSchema(secret: SecretSchema) {
  return z
    .record(z.string(), secret, 'must be an object of header names and values.')
    .superRefine((headers, context) => {
      for (const name of Object.keys(headers)) {
        if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue
        context.addIssue({ code: 'custom', path: [name], message: 'is not the name of a header.' })
      }
    })
}

/** Schemas of the entries by kind. Messages complete a line that begins with the key. */
function engineSchemas(secret: SecretSchema, folder: string) {
  const headers = headersSchema(secret).default({})
  return {
    rangoli: z
      .strictObject({ ...identity, kind: z.literal('rangoli') })
      .transform((values): EngineConfig => values),

    openai: z
      .strictObject({
        ...identity,
        kind: z.literal('openai'),
        apiKey: secret.optional(),
        url: endpointUrl('apiKey').optional(),
        model: text('set it, or remove it to use gpt-image-2.').default(defaultOpenAiModel),
      })
      .transform(({ apiKey = null, url = null, ...values }, context): EngineConfig => {
        if (apiKey !== null || url !== null) {
          return { ...values, apiKey, baseUrl: url, settings: fileSettings }
        }
        const message = 'is missing; OpenAI requires it. Set it, or set url to use another server.'
        context.addIssue({ code: 'custom', path: ['apiKey'], message })
        return z.NEVER
      }),

    automatic1111: z
      .strictObject({
        ...identity,
        kind: z.literal('automatic1111'),
        url: requiredUrl('http://localhost:7860', 'username and password'),
        model: text('set it, or remove it to use the loaded model.').optional(),
        username: secret.optional(),
        password: secret.optional(),
        headers,
        ...sampling,
      })
      .transform((values, context): EngineConfig => {
        const { id, label, kind, url, model = null, username = null, password = null } = values
        if ((username === null) !== (password === null)) {
          const [missing, present] = username === null ? ['username', 'password'] : ['password', 'username']
          const message = `is missing; ${present} requires it. Set both or neither.`
          context.addIssue({ code: 'custom', path: [missing], message })
        }
        return {
          id,
          label,
          kind,
          url,
          model,
          username,
          password,
          headers: values.headers,
          ...samplingConfig(values),
        }
      }),

    comfyui: z
      .strictObject({
        ...identity,
        kind: z.literal('comfyui'),
        url: requiredUrl('http://localhost:8188', 'headers'),
        workflow: workflowSchema(folder).optional(),
        model: text('set it, or remove it.').optional(),
        headers,
        ...sampling,
      })
      .transform((values, context): EngineConfig => {
        const { id, label, kind, url, workflow = null, model = null } = values
        const hasModelPlaceholder = workflow !== null && findPlaces(workflow).has('model')
        const addIssue = (key: string, message: string) =>
          context.addIssue({ code: 'custom', path: [key], message })
        if (workflow === null && model === null) {
          addIssue(
            'workflow',
            'is missing; set it to a file saved with Export (API), or set model to use the built-in workflow.',
          )
        } else if (hasModelPlaceholder && model === null) {
          addIssue('model', 'is missing; the workflow requires it for %model%. Set it.')
        } else if (workflow !== null && !hasModelPlaceholder && model !== null) {
          addIssue('model', 'has no effect, as the workflow has no %model%. Add that to it, or remove model.')
        }
        return { id, label, kind, url, workflow, model, headers: values.headers, ...samplingConfig(values) }
      }),

    chat: z
      .strictObject({
        ...identity,
        kind: z.literal('chat'),
        url: requiredUrl('https://openrouter.ai/api/v1', 'apiKey'),
        apiKey: secret.optional(),
        model: text('set it to the name of a model that returns images.'),
      })
      .transform(({ apiKey = null, ...values }): EngineConfig => ({ ...values, apiKey })),
  } satisfies Record<EngineKind, z.ZodType<EngineConfig>>
}

const workflowNodes = z
  .record(z.string(), z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) }))
  .refine((nodes) => Object.keys(nodes).length > 0)

/** A file in ComfyUI's API format; transformed to its content. */
function workflowSchema(folder: string) {
  return text('set it to a file saved with Export (API), or remove it.').transform(
    (name, context): ComfyUiWorkflow => {
      const reject = (message: string) => {
        context.addIssue({ code: 'custom', message: `${name} ${message}` })
        return z.NEVER
      }
      const parsed = readJson(path.resolve(folder, name))
      if ('issue' in parsed) return reject(parsed.issue)
      const { value } = parsed
      if (typeof value === 'object' && value !== null && 'nodes' in value && Array.isArray(value.nodes)) {
        return reject('is in the format of the editor. Save the workflow with Export (API) instead.')
      }
      const { data: workflow } = workflowNodes.safeParse(value)
      if (!workflow) return reject('is not a workflow. Save one in ComfyUI with Export (API).')
      for (const issue of findPlaceholderIssues(workflow)) reject(issue)
      return workflow
    },
  )
}

/** @returns the value, or an issue that completes a line beginning with the name of the file */
function readJson(file: string): { readonly value: unknown } | { readonly issue: string } {
  const read = readTextFile(file)
  if ('issue' in read) return read
  try {
    return { value: JSON.parse(read.text) }
  } catch (error) {
    // The rest of the message quotes the file, which may hold secrets.
    const position = /at position (\d+)/.exec(String(error))?.[1]
    if (position === undefined) return { issue: 'is not valid JSON. Correct it.' }
    const line = read.text.slice(0, Number(position)).split('\n').length
    return { issue: `is not valid JSON (line ${line}). Correct it.` }
  }
}
