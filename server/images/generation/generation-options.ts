import { createHash, randomInt } from 'node:crypto'
import type { z } from 'zod'
import {
  acceptsSize,
  acceptsValue,
  detailsOf,
  type EngineCapabilities,
  type ImageSize,
  type Lora,
  type ModelDetails,
  type ModelParameter,
  type ParameterValues,
} from '../../../shared/engines.ts'
import { combineChoices } from '../../../shared/expand-prompt.ts'
import { countMax, lorasMax, seedMax } from '../../../shared/limits.ts'
import { joinNegative, type Style } from '../../../shared/styles.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import type { Database } from '../../db/open-database.ts'
import { chooseEngine, priceOf, type Engines } from '../../engines/engines.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { AppError, describedDetail } from '../../errors/app-error.ts'
import { requireVisiblePost } from '../../access/visible-post.ts'
import type { generateInput } from '../inputs.ts'
import { microsOf } from '../budget.ts'
import { readHighestCost } from './engine-queues.ts'
import { findOwnImages, type ImageRow, parameterImagesOf, type StoredRecipe } from '../images.ts'
import { findStyle } from '../../styles/stored-styles.ts'
import { cleanText } from '../../text/clean-text.ts'
import type { Needs } from '../services.ts'

type GenerateInput = z.output<typeof generateInput>

export type GenerationRequest = Pick<GenerateInput, 'prompt'> &
  Partial<GenerateInput> & {
    /** Digest of the request as a program sent it, for a transport that adds settings. Without it, that of the settings. */
    readonly requestDigest?: string | undefined
  }

/** Idempotency key of a request, and what it stands for. */
export interface RequestKey {
  readonly key: string
  /** Null if the digest tells the prompt, too. */
  readonly prompts: readonly string[] | null
  readonly count: number
  /** SHA-256 of all settings, in base64url. */
  readonly digest: string
}

export interface PlannedImage {
  readonly prompt: string
  readonly recipe: StoredRecipe
}

/** Images to generate, all or none. */
export interface GenerationPlan {
  readonly engine: ImageEngine
  readonly remixOf: string | null
  readonly images: readonly PlannedImage[]
  /** True if the engine would generate equal images again, which are returned instead of generating them. */
  readonly isReusable: boolean
  /** Upper bound of the cost of an image, in millionths of a USD: 0 if unknown; null if none is known of. */
  readonly priceMicros: number | null
}

/**
 * Checks a request against the capabilities of its engine, and chooses the seeds.
 *
 * @throws AppError see `chooseEngine`; `bad_input` for what the engine can't do; `engine_unavailable` for a model of an engine that is down and
 *   has not listed it; `not_found` for images of other users, and for posts that are not in the gallery
 */
export async function planGeneration(
  services: Needs<'db' | 'readOptions' | 'engines'>,
  viewer: Viewer,
  request: GenerationRequest,
): Promise<GenerationPlan> {
  const { db, engines } = services
  const style = request.styleId === undefined ? null : await findStyle(services, viewer, request.styleId)
  const engine = chooseEngine(engines, await services.readOptions(db), {
    role: viewer.role,
    id: request.engine ?? style?.engine ?? undefined,
  })
  const { referenceImageIds = [], count = 1 } = request
  const prompts = promptsOf(request)
  const { model, capabilities, parameters, price } = await chooseModel(engines, engine, {
    model: request.model,
    isListed: request.parameters !== undefined || [request.loras, style?.loras].flat().some(Boolean),
  })
  const demand = { ...request, count: prompts.length * count }
  const [, issue] = findUnsupported({ label: engine.label, capabilities }, demand) ?? []
  const wrong = issue ?? findWrongParameter(model || engine.label, parameters, request.parameters)
  if (wrong !== undefined) throw new AppError('bad_input', wrong)
  const ofParameters = {
    ...(request.parameters && { parameters: request.parameters }),
    ...ownTypes(parameters, request.parameters),
  }
  await requireImages(db, viewer, [
    ...referenceImageIds,
    ...(request.maskImageId ? [request.maskImageId] : []),
    ...parameterImagesOf(ofParameters).map(([, id]) => id),
  ])
  if (request.remixOf !== undefined) await requireVisiblePost(db, request.remixOf, viewer)

  const { negativePrompt, size, loras } = withStyle(request, style, capabilities)
  const recipe: StoredRecipe = {
    engineLabel: engine.label,
    ...(model !== undefined && { model }),
    ...(negativePrompt !== '' && { negativePrompt }),
    ...(size !== undefined && { size }),
    ...(request.strength !== undefined && { strength: request.strength }),
    ...(referenceImageIds.length > 0 && { referenceImageIds }),
    ...(request.maskImageId !== undefined && { maskImageId: request.maskImageId }),
    ...ofParameters,
    ...(style && { style: { id: style.id, name: style.name, template: style.template } }),
    ...(loras.length > 0 && { loras }),
  }
  const withSeed = (seed: number | null) => (seed === null ? recipe : { ...recipe, seed })
  return {
    engine,
    remixOf: request.remixOf ?? null,
    images: prompts.flatMap((prompt) =>
      seedsOf({ ...engine, capabilities }, request.seed, count).map((seed) => ({
        prompt,
        recipe: withSeed(seed),
      })),
    ),
    isReusable: engine.isDeterministic && request.seed === undefined,
    priceMicros: await boundCost(db, engine, model ?? (await defaultModel(engines, engine)), price),
  }
}

/** Adds what the engine takes of a style's settings to those of a request. */
function withStyle(
  { negativePrompt = '', size, loras = [] }: GenerationRequest,
  style: Style | null,
  capabilities: EngineCapabilities,
): Pick<GenerationRequest, 'size'> & { readonly negativePrompt: string; readonly loras: readonly Lora[] } {
  if (!style) return { negativePrompt, size, loras }
  const isNew = ({ name }: Lora) =>
    capabilities.loras.includes(name) && !loras.some((lora) => lora.name === name)
  const ownSize = style.size && acceptsSize(capabilities, style.size) ? style.size : undefined
  return {
    negativePrompt: capabilities.negativePrompt ? joinNegative(negativePrompt, style) : negativePrompt,
    size: size ?? ownSize,
    loras: [...loras, ...style.loras.filter(isNew)].slice(0, lorasMax),
  }
}

/**
 * Returns the prompts of a request, which asks for `count` images of each: itself, or the cleaned, different prompts of all
 * combinations of its choices, see `combineChoices`.
 *
 * @throws AppError `bad_input` for more images than a request may ask for, braces that are no choice, and an empty combination
 */
export function promptsOf({ prompt, expand, count = 1 }: GenerationRequest): readonly string[] {
  if (!expand) return [prompt]
  const prompts = combineChoices(prompt, Math.floor(countMax / count))
  if (prompts === 'too many') {
    throw new AppError('bad_input', `The choices in the prompt ask for more than ${countMax} images.`)
  }
  if (typeof prompts === 'string') {
    const rule = `is not part of a choice such as {red|blue}; write \\${prompts} for the character.`
    throw new AppError('bad_input', `The prompt has a "${prompts}" that ${rule}`)
  }
  // Parts that are clean can be another text together.
  const cleaned = new Set(prompts.map(cleanText))
  if (cleaned.has('')) throw new AppError('bad_input', 'A combination of the choices is empty.')
  return [...cleaned]
}

/**
 * Returns the upper bound of an image's cost, see `priceMicros`: its price, or else what images of the model have cost lately,
 * if the engine always says so.
 */
export async function boundCost(
  db: Database,
  engine: ImageEngine,
  model: string,
  listed: number | null,
): Promise<number | null> {
  const price = priceOf(engine, model, listed)
  if (price !== null) return microsOf(price) || null
  const highest = await readHighestCost(db, { id: engine.id, model })
  return engine.reportsCost ? highest : highest > 0 ? 0 : null
}

/** Returns the model of requests that name none. Of a server with several, the list begins with it; only its price needs to be known. */
async function defaultModel(engines: Engines, { id, model, prices }: ImageEngine): Promise<string> {
  return model || !prices ? model : ((await engines.statusOf(id)).models[0] ?? '')
}

/** Returns the key of a request with a digest of its settings as they were sent, so that a later change of a default is none. */
export function requestKeyOf(request: GenerationRequest): RequestKey | null {
  const { requestKey: key, prompt, expand, count = 1, negativePrompt = '', referenceImageIds = [] } = request
  if (key === undefined) return null
  const { engine, model, size, seed, maskImageId, strength, remixOf, parameters, styleId, loras } = request
  const sent = [engine, model, size, count, seed, negativePrompt, referenceImageIds]
  // Left out where a request has none, so that the digests of earlier ones stay the same.
  const later = [
    ...(parameters ? [parameters] : []),
    ...(expand ? [prompt] : []),
    ...(styleId ? [{ styleId }] : []),
    ...(loras?.length ? [{ loras }] : []),
  ]
  const prompts = promptsOf(request)
  return {
    key,
    prompts,
    count: prompts.length * count,
    digest: request.requestDigest ?? digestOfSettings([...sent, maskImageId, strength, remixOf, ...later]),
  }
}

/** Returns the digest of the settings of a request, see `RequestKey`. */
export function digestOfSettings(settings: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64url')
}

/**
 * Chooses the seeds of a batch before anything is sent, so that a generation can be repeated. An engine that always draws
 * the same image without a seed gets none for the first one, and then 1, 2, 3.
 */
function seedsOf(
  { capabilities, isDeterministic }: Pick<ImageEngine, 'capabilities' | 'isDeterministic'>,
  requested: number | undefined,
  count: number,
): (number | null)[] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  if (!capabilities.seed) return indexes.map(() => null)
  if (isDeterministic && requested === undefined) return indexes.map((index) => (index === 0 ? null : index))
  const first = requested ?? randomInt(seedMax + 1)
  return indexes.map((index) => (first + index) % (seedMax + 1))
}

/** Inputs of a request that not every engine takes. */
type Demand = Omit<GenerationRequest, 'prompt'>

/** Finds an input of a request that an engine does not take, and says why; null if it takes all. */
export function findUnsupported(
  { label, capabilities }: Pick<ImageEngine, 'label' | 'capabilities'>,
  {
    size,
    count = 1,
    seed,
    negativePrompt,
    referenceImageIds = [],
    strength,
    maskImageId,
    loras = [],
  }: Demand,
): readonly [input: keyof Demand, issue: string] | null {
  const maxReferences = capabilities.referenceImages
  const lacks = (what: string) => `${label} does not support ${what}.`
  const hasReference = referenceImageIds.length > 0
  const hasStrength = strength !== undefined
  const hasMask = maskImageId !== undefined
  const unknownLora = loras.find(({ name }) => !capabilities.loras.includes(name))
  const rules: readonly (readonly [isBroken: unknown, input: keyof Demand, issue: string])[] = [
    [size !== undefined && !acceptsSize(capabilities, size), 'size', sizeSentence(label, capabilities, size)],
    [
      count > capabilities.count,
      'count',
      `${label} generates at most ${plural(capabilities.count, 'image')} per request.`,
    ],
    [seed !== undefined && !capabilities.seed, 'seed', lacks('seeds')],
    [negativePrompt && !capabilities.negativePrompt, 'negativePrompt', lacks('negative prompts')],
    [hasReference && maxReferences === 0, 'referenceImageIds', lacks('reference images')],
    [
      referenceImageIds.length > maxReferences,
      'referenceImageIds',
      `${label} supports at most ${plural(maxReferences, 'reference image')}.`,
    ],
    [hasStrength && !capabilities.strength, 'strength', lacks('a strength')],
    [hasStrength && !hasReference, 'strength', 'A strength requires a reference image.'],
    [hasMask && !capabilities.mask, 'maskImageId', lacks('masks')],
    [hasMask && !hasReference, 'maskImageId', 'A mask requires a reference image.'],
    [unknownLora && capabilities.loras.length === 0, 'loras', lacks('LoRAs')],
    [unknownLora, 'loras', `${label} has no LoRA "${unknownLora?.name}".`],
  ]
  const [, input, issue] = rules.find(([isBroken]) => isBroken) ?? []
  return input === undefined || issue === undefined ? null : [input, issue]
}

/**
 * Returns what the model of a request can do, and its name where the engine has several: the requested or the default one.
 * @throws AppError `bad_input` for a model that the engine does not have, `engine_unavailable` if it is down and has listed none
 */
async function chooseModel(
  engines: Engines,
  engine: ImageEngine,
  { model: requested, isListed }: Pick<GenerationRequest, 'model'> & { readonly isListed: boolean },
): Promise<{ readonly model: string | undefined } & ModelDetails> {
  const isOther = requested !== undefined && requested !== engine.model
  const status = isOther || isListed || engine.hasModelDetails ? await engines.statusOf(engine.id) : null
  if (isOther && status?.models.includes(requested) === false) {
    if (!status.isAvailable) throw new AppError('engine_unavailable')
    throw new AppError('bad_input', `${engine.label} has no model "${requested}".`)
  }
  if (!status || (!isListed && !engine.hasModelDetails))
    return { model: requested, ...detailsOf({ ...engine, models: [] }, null) }
  const { models, modelDetails = {}, capabilities = engine.capabilities } = status
  if (!engine.hasModelDetails) {
    if (!status.capabilities && !status.isAvailable) throw new AppError('engine_unavailable')
    return { model: requested, ...detailsOf({ capabilities, modelDetails, models: [] }, null) }
  }
  const model = requested ?? models[0]
  // Not listed yet, as its provider is down.
  if (model === undefined) throw new AppError('engine_unavailable')
  return { model, ...detailsOf({ ...engine, models, modelDetails }, model) }
}

/** Returns the types of the parameters whose values are the user's own: texts and images. */
function ownTypes(
  typed: readonly ModelParameter[],
  given: ParameterValues = {},
): Pick<StoredRecipe, 'parameterTypes'> {
  const own = typed.flatMap(({ name, type }) =>
    Object.hasOwn(given, name) && (type === 'text' || type === 'image') ? [[name, type] as const] : [],
  )
  return own.length > 0 ? { parameterTypes: Object.fromEntries(own) } : {}
}

/** Finds a value that a model does not take, and says why. */
function findWrongParameter(
  model: string,
  typed: readonly ModelParameter[],
  given: ParameterValues = {},
): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    const parameter = typed.find((one) => one.name === name)
    if (!parameter) return `${model} has no parameter "${name}".`
    if (acceptsValue(parameter, value)) continue
    const { values, min, max, isWhole } = parameter
    const allowed = {
      boolean: 'true or false',
      enum: `one of ${values?.join(', ')}`,
      range: `a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`,
      text: 'a text without control characters',
      image: 'the id of one of your images',
    }
    return `The parameter "${name}" must be ${allowed[parameter.type]}.`
  }
  return undefined
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function sizeSentence(
  label: string,
  { sizes, customSizes }: EngineCapabilities,
  size: ImageSize | undefined,
): string {
  if (sizes.length === 0 && customSizes === null) return `${label} does not support a choice of the size.`
  const choices = [
    ...(sizes.length > 0 ? [`one of ${sizes.join(', ')}`] : []),
    ...(customSizes
      ? [
          `one with sides of ${customSizes.min} to ${customSizes.max} pixels, in multiples of ${customSizes.step}`,
        ]
      : []),
  ]
  return `${label} does not support the size ${size}. Choose ${choices.join(', or ')}.`
}

async function requireImages(db: Database, viewer: Viewer, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const image of await findOwnImages(db, viewer, ids)) requireUsable(image)
}

/** Verifies that an engine may get an image. @throws AppError `bad_input` */
export function requireUsable({ state, hidden_at }: Pick<ImageRow, 'state' | 'hidden_at'>): void {
  if (state !== 'succeeded') throw new AppError('bad_input', describedDetail('reference_unfinished'))
  if (hidden_at !== null) throw new AppError('bad_input', describedDetail('reference_hidden'))
}
