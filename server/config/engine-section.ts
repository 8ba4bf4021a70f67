import path from 'node:path'
import { z } from 'zod'
import { engineKinds, type EngineKind } from '../../shared/engines.ts'
import { embeddedEngineLabel } from '../../shared/page-data.ts'
import { findInputs } from '../engines/comfyui/workflow-inputs.ts'
import { findPlaceholderIssues, findPlaces, type ComfyUiWorkflow } from '../engines/comfyui/workflow.ts'
import {
  endpointUrl,
  keysOf,
  oneOf,
  orNull,
  readTextFile,
  reject,
  requireTogether,
  type Environment,
} from './variables.ts'

type EngineSchemas = ReturnType<typeof engineSchemas>

/** Configuration of an engine, of one kind or of any. */
export type EngineConfig<Kind extends EngineKind = EngineKind> = z.output<EngineSchemas[Kind]>

/** Configuration of all image engines; the first is the default. */
export type EngineConfigs = readonly [EngineConfig, ...EngineConfig[]]

/** The embedded engine as configured without an engines file. */
export const embeddedEngine: EngineConfig<'rangoli'> = {
  kind: 'rangoli',
  id: 'rangoli',
  label: embeddedEngineLabel,
}

const defaultOpenAiModel = 'gpt-image-2'

const singleEngineVariables = [
  'IMAGE_ENGINE',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_IMAGE_MODEL',
] as const

export const engineVariables = ['ENGINES_FILE', ...singleEngineVariables] as const

/**
 * Creates the schema of the variables that configure engines.
 *
 * @param env variables that an engines file may name
 * @param workingDirectory base of relative paths
 */
export function engineSection(env: Environment, workingDirectory: string) {
  return z
    .object({
      ENGINES_FILE: z.string().trim().optional(),
      IMAGE_ENGINE: oneOf('rangoli', 'openai').optional(),
      OPENAI_API_KEY: orNull(z.string().trim()),
      OPENAI_BASE_URL: orNull(endpointUrl('OPENAI_API_KEY')),
      OPENAI_IMAGE_MODEL: z.string().trim().optional(),
    })
    .transform((values, context): EngineConfigs => {
      if (values.ENGINES_FILE !== undefined) {
        const file = readEnginesFile(values.ENGINES_FILE, workingDirectory, env)
        for (const message of file.issues) reject(context, message, 'ENGINES_FILE')
        for (const variable of singleEngineVariables) {
          if ((values[variable] ?? null) === null || file.variables.has(variable)) continue
          const fix = `Remove ${variable} or ENGINES_FILE.`
          reject(context, `has no effect, as ENGINES_FILE configures the engines. ${fix}`, variable)
        }
        const [first, ...others] = file.engines
        return first ? [first, ...others] : z.NEVER
      }
      const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_IMAGE_MODEL } = values
      const kind = values.IMAGE_ENGINE ?? (apiKey || baseUrl ? 'openai' : 'rangoli')
      if (kind === 'rangoli') return [embeddedEngine]
      const model = OPENAI_IMAGE_MODEL ?? defaultOpenAiModel
      if (apiKey || baseUrl) return [{ kind, id: 'openai', label: model, apiKey, baseUrl, model }]
      const fix = 'Set one, or set IMAGE_ENGINE=rangoli.'
      const message = `is missing; IMAGE_ENGINE=openai requires it or OPENAI_BASE_URL. ${fix}`
      return reject(context, message, 'OPENAI_API_KEY')
    })
}

/**
 * Reads and validates the engines file. No issue repeats a value that may be a secret.
 *
 * @param name path of the file
 * @param workingDirectory base of a relative path
 * @param env variables that the file may name
 * @returns also the issues, without the variable, and the environment variables that the file names for secrets
 */
function readEnginesFile(name: string, workingDirectory: string, env: Environment) {
  const variables = new Set<string>()
  const file = path.resolve(workingDirectory, name)
  const read = readJson(file)
  if ('issue' in read) return { engines: [], issues: [`${name} ${read.issue}`], variables }
  const ids = (Array.isArray(read.value) ? read.value : []).map((entry: unknown) => {
    const id = isObject(entry) ? entry['id'] : null
    return typeof id === 'string' && idPattern.test(id) ? id : null
  })
  const describe = (index: number, message: string) => {
    const id = ids.indexOf(ids[index] ?? null) === index ? ids[index] : null
    return `${name}, engine ${id ?? `number ${index + 1}`}: ${message}`
  }
  const repeated = ids.flatMap((id, index) => {
    const first = ids.indexOf(id)
    if (id === null || first === index) return []
    return describe(index, `id ${id} is the id of engine number ${first + 1}, too. Choose another id.`)
  })
  const { engines, issues } = parseEntries(read.value, secretSchema(env, variables), path.dirname(file))
  const described = issues.map(([index, message]) =>
    typeof index === 'number' ? describe(index, message) : `${name} ${message}`,
  )
  return { engines, issues: [...repeated, ...described], variables }
}

/**
 * Parses an entry that an administrator entered: as in the engines file, but with secrets as strings, and the content of a
 * workflow in place of its path.
 *
 * @returns the engine, or issues as sentences without values
 */
export function parseEngineEntry(
  entry: unknown,
): { readonly engine: EngineConfig } | { readonly issues: readonly string[] } {
  const { engines, issues } = parseEntries([entry], secretSchema({}, new Set()), null)
  const [engine] = engines
  return engine ? { engine } : { issues: issues.map(([, message]) => message.replace(/^\S+/, '`$&`')) }
}

/** Parses entries. Issues have the index of their entry, if they are about one, and a message that begins with the key. */
function parseEntries(value: unknown, secret: SecretSchema, folder: string | null) {
  const schemas = engineSchemas(secret, folder)
  const { data: engines = [], error } = enginesSchema(schemas).safeParse(value)
  const issues = (error?.issues ?? []).flatMap((issue) => {
    const [index, ...keys] = issue.path
    const key = keys.join('.')
    const entry: unknown = Array.isArray(value) ? value[Number(index)] : null
    const kind = engineKinds.find((one) => isObject(entry) && one === entry['kind']) ?? 'rangoli'
    const unknown = `is not a setting of ${kind} engines, which have ${keysOf(schemas[kind]).join(', ')}. Remove it, or correct its name.`
    const messages =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((one) => (key === '' ? `${one} ${unknown}` : `${key}.${one} is unknown. Remove it.`))
        : [key === '' ? issue.message : `${key} ${issue.message}`]
    return messages.map((message) => [index, message] as const)
  })
  return { engines, issues }
}

function enginesSchema(schemas: EngineSchemas) {
  const { rangoli, openai, openrouter, automatic1111, comfyui, sdcpp, chat } = schemas
  const kinds = [rangoli, openai, openrouter, automatic1111, comfyui, sdcpp, chat] as const
  const entry = z.discriminatedUnion('kind', kinds, {
    error: ({ input }) => {
      if (!isObject(input)) return 'must be an object with id, kind and label.'
      const missing = input['kind'] === undefined ? 'is missing; it ' : ''
      return `${missing}must be one of ${engineKinds.join(', ')}.`
    },
  })
  return z
    .array(entry, 'must contain an array: put the engines into [ ].')
    .min(1, 'must contain an engine. Add one, or remove ENGINES_FILE.')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type SecretSchema = ReturnType<typeof secretSchema>

/** A string, or `{ "env": "NAME" }` for the value of an environment variable. */
function secretSchema(env: Environment, variables: Set<string>) {
  const reference = z.strictObject({ env: z.string() })
  return z.unknown().transform((value, context): string => {
    const { data } = reference.safeParse(value)
    if (data) variables.add(data.env)
    const secret = data ? env[data.env] : value
    if (data && !secret?.toString().trim())
      return reject(context, `names the environment variable ${data.env}, which is not set. Set it.`)
    if (typeof secret !== 'string') return reject(context, 'must be a string, or { "env": "NAME" }.')
    const trimmed = secret.trim()
    if (/^[\x20-\x7e]+$/.test(trimmed)) return trimmed
    return reject(
      context,
      trimmed === '' ? 'must not be empty.' : 'must consist of printable ASCII characters.',
    )
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

const priceMessage =
  'must be the USD of an image, a number from 0 to 1000, or an object of such numbers by model.'
const priceSchema = z.number(priceMessage).min(0, priceMessage).max(1_000, priceMessage)

/** USD of an image by model; `default` for the others. */
const pricesSchema = z.union(
  [priceSchema.transform((price) => ({ default: price })), z.record(z.string(), priceSchema)],
  priceMessage,
)

const lorasMessage =
  'must be an array of names at the server, or an object of names for users by those, without < > and :.'
const loraName = z.string(lorasMessage).regex(/^[^<>:\p{Cc}]{1,200}$/u, lorasMessage)

/** Names for users by names at the server; null: all that it lists. */
const lorasSchema = orNull(
  z.union(
    [
      z.array(loraName).transform((names) => Object.fromEntries(names.map((name) => [name, name]))),
      z.record(z.string(), loraName),
    ],
    lorasMessage,
  ),
)

const identity = {
  /** Unique among the engines. Stored with images. */
  id: text(`it ${idMessage}`).regex(idPattern, idMessage),
  label: text('set it to the name that users see.').regex(/^\P{Cc}{1,60}$/u, labelMessage),
  price: pricesSchema.optional(),
}

function requiredUrl(example: string, credentials: string) {
  return text(`set it to the address of the server, such as ${example}.`).pipe(endpointUrl(credentials))
}

const stepsMessage = 'must be a whole number from 1 to 150.'
const cfgMessage = 'must be a number from 0 to 30.'

/** Sampling of Stable Diffusion servers; null: the default of the engine. */
const sampling = {
  steps: orNull(z.int(stepsMessage).min(1, stepsMessage).max(150, stepsMessage)),
  sampler: orNull(text('set it, or remove it.')),
  scheduler: orNull(text('set it, or remove it.')),
  cfg: orNull(z.number(cfgMessage).min(0, cfgMessage).max(30, cfgMessage)),
}

function headersSchema(secret: SecretSchema) {
  return z
    .record(z.string(), secret, 'must be an object of header names and values.')
    .superRefine((headers, context) => {
      for (const name of Object.keys(headers))
        if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) reject(context, 'is not the name of a header.', name)
    })
}

/** Schemas of the entries by kind. Messages complete a line that begins with the key. @param folder null: entries name no files */
function engineSchemas(secret: SecretSchema, folder: string | null) {
  /** Headers of each request, and of WebSockets. */
  const headers = headersSchema(secret).default({})
  return {
    /** The embedded engine, which draws patterns. */
    rangoli: z.strictObject({ ...identity, kind: z.literal('rangoli') }),

    openai: z
      .strictObject({
        ...identity,
        kind: z.literal('openai'),
        /** Null for servers without authentication. */
        apiKey: orNull(secret),
        /** Null: OpenAI. */
        url: orNull(endpointUrl('apiKey')),
        model: text('set it, or remove it to use gpt-image-2.').default(defaultOpenAiModel),
      })
      .transform(({ url: baseUrl, ...values }, context) => {
        if (values.apiKey !== null || baseUrl !== null) return { ...values, baseUrl }
        const fix = 'Set it, or set url to use another server.'
        return reject(context, `is missing; OpenAI requires it. ${fix}`, 'apiKey')
      }),

    /** OpenRouter's Image API. */
    openrouter: z
      .strictObject({
        ...identity,
        kind: z.literal('openrouter'),
        url: endpointUrl('apiKey').default('https://openrouter.ai/api/v1'),
        apiKey: orNull(secret),
        /** Ids of the models that are offered, the default first; all without any. */
        models: z.array(text('set the id of a model, or remove it.'), 'must be an array of ids.').default([]),
      })
      .transform((values, context) => {
        const { apiKey, models } = values
        if (apiKey !== null) return { ...values, apiKey, model: models[0] ?? null }
        return reject(context, 'is missing; OpenRouter requires it. Set it.', 'apiKey')
      }),

    /** The API of AUTOMATIC1111, which Forge, SD.Next and others implement. */
    automatic1111: z
      .strictObject({
        ...identity,
        kind: z.literal('automatic1111'),
        url: requiredUrl('http://localhost:7860', 'username and password'),
        /** Title, model name or file name; null: the one that the server has loaded. */
        model: orNull(text('set it, or remove it to use the loaded model.')),
        /** Credentials of HTTP Basic authentication, both or neither. */
        username: orNull(secret),
        password: orNull(secret),
        headers,
        loras: lorasSchema,
        ...sampling,
      })
      .transform(({ cfg: cfgScale, ...values }, context) => {
        requireTogether(values, ['username', 'password'], context)
        return { ...values, cfgScale }
      }),

    /** ComfyUI, with a workflow of its own or the built-in one. */
    comfyui: z
      .strictObject({
        ...identity,
        kind: z.literal('comfyui'),
        url: requiredUrl('http://localhost:8188', 'headers'),
        /** Null: the built-in text-to-image workflow, with `model`. */
        workflow: orNull(workflowSchema(folder)),
        /** File name of a checkpoint, or the value of %model% in `workflow`; not null without `workflow`. */
        model: orNull(text('set it, or remove it.')),
        headers,
        loras: lorasSchema,
        ...sampling,
      })
      .transform(({ cfg: cfgScale, ...values }, context) => {
        const { workflow, model } = values
        const hasModelPlaceholder = workflow !== null && findPlaces(workflow).has('model')
        if (workflow === null && model === null) {
          const fix = 'set it to a file saved with Export (API), or set model to use the built-in workflow.'
          reject(context, `is missing; ${fix}`, 'workflow')
        } else if (hasModelPlaceholder && model === null) {
          reject(context, 'is missing; the workflow requires it for %model%. Set it.', 'model')
        } else if (workflow !== null && !hasModelPlaceholder && model !== null) {
          const message = 'has no effect, as the workflow has no %model%. Add that to it, or remove model.'
          reject(context, message, 'model')
        }
        return { ...values, cfgScale }
      }),

    /** The jobs of stable-diffusion.cpp's server. */
    sdcpp: z
      .strictObject({
        ...identity,
        kind: z.literal('sdcpp'),
        url: requiredUrl('http://localhost:1234', 'headers'),
        headers,
        loras: lorasSchema,
      })
      .transform((values) => ({ ...values, model: null })),

    /** Chat completions with images, as OpenRouter and other gateways have them. */
    chat: z.strictObject({
      ...identity,
      kind: z.literal('chat'),
      url: requiredUrl('https://openrouter.ai/api/v1', 'apiKey'),
      apiKey: orNull(secret),
      model: text('set it to the name of a model that returns images.'),
    }),
  } satisfies Record<EngineKind, z.ZodType>
}

const workflowNodes = z
  .record(z.string(), z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) }))
  .refine((nodes) => Object.keys(nodes).length > 0)

/** A file in ComfyUI's API format, or its content if there is no folder; transformed to its content. */
function workflowSchema(folder: string | null) {
  if (folder === null) return z.unknown().transform((value, context) => parseWorkflow('', value, context))
  const missing = 'set it to a file saved with Export (API), or remove it.'
  return text(missing).transform((name, context): ComfyUiWorkflow => {
    const read = readJson(path.resolve(folder, name))
    return 'issue' in read
      ? reject(context, `${name} ${read.issue}`)
      : parseWorkflow(`${name} `, read.value, context)
  })
}

/** @param name begins the issues */
function parseWorkflow(name: string, value: unknown, context: z.RefinementCtx): ComfyUiWorkflow {
  if (isObject(value) && Array.isArray(value['nodes'])) {
    const fix = 'Save the workflow with Export (API) instead.'
    return reject(context, `${name}is in the format of the editor. ${fix}`)
  }
  const { data: workflow } = workflowNodes.safeParse(value)
  if (!workflow) return reject(context, `${name}is not a workflow. Save one in ComfyUI with Export (API).`)
  const issues = [...findPlaceholderIssues(workflow), ...findInputs(workflow).issues]
  for (const issue of issues) reject(context, `${name}${issue}`)
  return workflow
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
