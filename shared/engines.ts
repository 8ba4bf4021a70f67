/** Kinds of engines: a program of our own, or the API by which an engine is called. */
export const engineKinds = [
  'rangoli',
  'openai',
  'openrouter',
  'automatic1111',
  'comfyui',
  'sdcpp',
  'chat',
] as const

export type EngineKind = (typeof engineKinds)[number]

/** Size of an image in pixels, as `WIDTHxHEIGHT`. */
export type ImageSize = `${number}x${number}`

/** Settings that a request to an engine may contain, and what the engine reports. Forms offer nothing else. */
export interface EngineCapabilities {
  /** Sizes to offer, the default first. Empty if the engine decides. */
  readonly sizes: readonly ImageSize[]
  /** Range of other sizes, for both sides, in pixels; null if only `sizes` are accepted. */
  readonly customSizes: { readonly min: number; readonly max: number; readonly step: number } | null
  readonly seed: boolean
  readonly negativePrompt: boolean
  /** Maximum number of images of one request. */
  readonly count: number
  /** Maximum number of reference images of one request; 0 if it takes none. */
  readonly referenceImages: number
  /** True if the influence of a reference image can be chosen. */
  readonly strength: boolean
  /** True if a mask can limit the change of a reference image. */
  readonly mask: boolean
  /** Names of the LoRAs that a request may ask for. */
  readonly loras: readonly string[]
  /** Factors by which it enlarges images. */
  readonly upscale: readonly number[]
  /** True if the engine reports the fraction of the generation that is done. */
  readonly progress: boolean
  /** True if the engine sends previews. */
  readonly previews: boolean
}

/** A LoRA that an image is generated with. */
export interface Lora {
  /** One of the capabilities' `loras`. */
  readonly name: string
  readonly weight: number
}

/** Values of the parameters of a model, by name. */
export type ParameterValues = Readonly<Record<string, string | number | boolean>>

/** A parameter of a model, as its provider types it, or an input of a workflow. */
export interface ModelParameter {
  readonly name: string
  /** The value of an `image` is the id of one of the user's images. */
  readonly type: 'enum' | 'range' | 'boolean' | 'text' | 'image'
  /** Values of an `enum`. */
  readonly values?: readonly string[]
  /** True for a `range` of whole numbers. */
  readonly isWhole?: boolean
  /** Bounds of a `range`, inclusive. */
  readonly min?: number
  readonly max?: number
}

/** What a provider says about one of its models. */
export interface ModelDetails {
  readonly capabilities: EngineCapabilities
  /** Parameters beyond the capabilities. */
  readonly parameters: readonly ModelParameter[]
  /** USD of an image; null if unknown. */
  readonly price: number | null
}

/** An engine to choose, for clients. */
export interface Engine {
  readonly id: string
  readonly kind: EngineKind
  /** Name for users. */
  readonly label: string
  /** Models to choose from, the default first. Empty if unknown. */
  readonly models: readonly string[]
  /** Those of all models together. */
  readonly capabilities: EngineCapabilities
  /** Details of the models, by name, where the provider has them. */
  readonly modelDetails?: Readonly<Record<string, ModelDetails>>
  /** False while the engine can't be reached, is misconfigured or paused. */
  readonly isAvailable: boolean
  /** True if an administrator has paused it. It is not available then. */
  readonly isPaused?: true
}

export function dimensions(size: ImageSize): [width: number, height: number] {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return [width, height]
}

export function acceptsValue(
  { type, values = [], min = -Infinity, max = Infinity, isWhole = false }: ModelParameter,
  value: string | number | boolean,
): boolean {
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'enum') return values.some((one) => one === value)
  if (type === 'image') return typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
  if (type === 'text') return typeof value === 'string' && !/(?![\t\n])\p{Cc}/u.test(value)
  if (typeof value !== 'number' || (isWhole && !Number.isInteger(value))) return false
  return value >= min && value <= max
}

/** Returns what a model takes, the default one without a name: as its provider says, or as the engine. */
export function detailsOf(
  { capabilities, modelDetails, models }: Pick<Engine, 'capabilities' | 'modelDetails' | 'models'>,
  model: string | null,
): ModelDetails {
  const details = modelDetails?.[model ?? models[0] ?? ''] ?? modelDetails?.['']
  return details ?? { capabilities, parameters: [], price: null }
}

export function acceptsSize({ sizes, customSizes }: EngineCapabilities, size: ImageSize): boolean {
  if (sizes.includes(size)) return true
  if (customSizes === null) return false
  const { min, max, step } = customSizes
  return dimensions(size).every((side) => side >= min && side <= max && side % step === 0)
}

export const secretSettings = ['apiKey', 'username', 'password', 'headers'] as const

/** Checks whether a change of the URL of an engine would send secrets that it keeps to another server. */
export function leadsElsewhere(from: unknown, to: unknown, keptSecrets: readonly string[]): boolean {
  // Of an unusual URL, all of it: it is another one.
  const originOf = (url: unknown) =>
    typeof url === 'string' && url !== ''
      ? (/^https?:\/\/[\w.:[\]-]+(?=[/?#]|$)/i.exec(url)?.[0].toLowerCase() ?? url)
      : null
  return keptSecrets.length > 0 && originOf(from) !== originOf(to)
}
