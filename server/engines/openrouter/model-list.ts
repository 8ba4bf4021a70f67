import { randomUUID } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { EngineCapabilities, ImageSize, ModelDetails, ModelParameter } from '../../../shared/engines.ts'
import { referenceImagesMax } from '../../../shared/limits.ts'
import { nullIfMissing, writeDurably } from '../../files/disk-files.ts'
import { EngineError } from '../engine-error.ts'
import { fieldsOf, listOf, parseJson, readBytes, withTimeout } from '../engine-http.ts'
import { promptOnly } from '../image-engine.ts'
import { type Connection, send } from '../openai/openai-client.ts'

export interface ListedModel {
  readonly id: string
  readonly details: ModelDetails
  /** Values of the fields that a request may have, undefined for those without a list of values. */
  readonly fields: ReadonlyMap<string, readonly string[] | undefined>
  /** Bounds of its seeds; null if it takes any. */
  readonly seeds: Pick<ModelParameter, 'min' | 'max'> | null
}

/** Age after which the list is read again, in milliseconds. */
const maxAgeMs = 60 * 60 * 1_000

/** Age after which a failed request for the list is repeated. */
const retryMs = 60_000

const listMaxBytes = 5_000_000

interface ListOptions {
  readonly connection: Connection
  /** Ids of the models that are offered; all without any. */
  readonly offered: readonly string[]
  /** File with the last list that was received; null to keep none. */
  readonly file: string | null
  /** Timeout of a request for the list, in milliseconds; 5 seconds by default. */
  readonly timeoutMs?: number | undefined
  readonly log: Logger
}

/** The models of the provider, cached for an hour. While the provider has no list, the last one counts. */
export class ModelList {
  readonly #options: ListOptions
  #models: readonly ListedModel[] | null = null
  #freshUntil = -Infinity

  constructor(options: ListOptions) {
    this.#options = options
  }

  /** Returns the models that are offered, the default first. @throws EngineError without a list; a system error */
  async read(signal: AbortSignal): Promise<readonly ListedModel[]> {
    if (this.#models && performance.now() < this.#freshUntil) return this.#models
    try {
      const text = await this.#receive(signal)
      this.#models = this.#parse(text)
      this.#freshUntil = performance.now() + maxAgeMs
      await this.#keep(text)
    } catch (error) {
      signal.throwIfAborted()
      this.#models ??= await this.#readKept()
      if (!this.#models) throw error
      this.#freshUntil = performance.now() + retryMs
      this.#options.log.warn(
        { err: error },
        'the models of the image service could not be listed; using the last list',
      )
    }
    return this.#models
  }

  #receive(signal: AbortSignal): Promise<string> {
    const { connection, timeoutMs = 5_000 } = this.#options
    return withTimeout(timeoutMs, signal, async (limited) => {
      const response = await send(connection, { path: '/images/models', signal: limited })
      return (await readBytes(response, listMaxBytes)).toString()
    })
  }

  /** @throws EngineError for a list without a model that is offered */
  #parse(text: string): readonly ListedModel[] {
    const listed = listOf(fieldsOf(parseJson(text))['data']).flatMap(
      (entry) => toModel(fieldsOf(entry)) ?? [],
    )
    const { offered } = this.#options
    const models =
      offered.length === 0 ? listed : offered.flatMap((id) => listed.find((model) => model.id === id) ?? [])
    if (models.length > 0) return models
    const reason =
      listed.length === 0 ? 'the image service lists no models: check `url`' : 'it has none of `models`'
    throw new EngineError('engine_misconfigured', reason)
  }

  async #keep(text: string): Promise<void> {
    const { file, log } = this.#options
    if (file === null) return
    // Another process may read it meanwhile.
    const unfinished = `${file}.${randomUUID()}`
    const written = writeDurably(unfinished, text).then(() => rename(unfinished, file))
    await written.catch((err: unknown) => log.warn({ err }, 'the list of models could not be kept'))
  }

  async #readKept(): Promise<readonly ListedModel[] | null> {
    const { file } = this.#options
    const text = file === null ? null : await nullIfMissing(readFile(file, 'utf8'))
    return text === null ? null : this.#parse(text)
  }
}

/** Formats that images can be stored from, the preferred first. */
const rasterFormats = ['jpeg', 'png', 'webp']

/** Fields that capabilities stand for, or that have no meaning here. */
const ownFields = new Set([
  'n',
  'seed',
  'size',
  'input_references',
  'output_format',
  'output_compression',
  'stream',
])

/** Describes a model of the list; null for one that draws vector images only. */
function toModel(entry: Readonly<Record<string, unknown>>): ListedModel | null {
  const { id, supported_parameters: supported, supports_streaming: streams } = entry
  if (typeof id !== 'string' || !/^[\w./:@+~-]{1,200}$/.test(id)) return null
  const described = fieldsOf(supported)
  const descriptors = Object.entries(described).map(([name, of]) => [name, fieldsOf(of)] as const)
  const fields = new Map(descriptors.map(([name, { values }]) => [name, textsOf(values)]))
  const formats = fields.get('output_format')
  if (formats && !formats.some((format) => rasterFormats.includes(format))) return null
  const references =
    fieldsOf(described['input_references'])['max'] ?? (fields.has('input_references') ? 1 : 0)
  const parameters = descriptors.flatMap(([name, descriptor]) =>
    ownFields.has(name) ? [] : (toParameter(name, descriptor) ?? []),
  )
  const capabilities: EngineCapabilities = {
    ...promptOnly,
    sizes: (fields.get('size') ?? []).filter((size): size is ImageSize => /^\d+x\d+$/.test(size)),
    seed: fields.has('seed'),
    referenceImages: Math.min(referenceImagesMax, Number(references) || 0),
    previews: streams === true,
  }
  const details = { capabilities, parameters, price: null }
  return { id, details, fields, seeds: toParameter('seed', fieldsOf(described['seed'])) }
}

function textsOf(values: unknown): readonly string[] | undefined {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : undefined
}

function toParameter(
  name: string,
  { type, values, min, max }: Readonly<Record<string, unknown>>,
): ModelParameter | null {
  if (type === 'boolean') return { name, type }
  if (type === 'enum') return { name, type, values: textsOf(values) ?? [] }
  if (type !== 'range' || typeof min !== 'number' || typeof max !== 'number') return null
  return { name, type, min, max }
}

/** Returns what at least one of the models can do. */
export function unionOf(models: readonly ListedModel[]): EngineCapabilities {
  const all = models.map(({ details }) => details.capabilities)
  return {
    ...promptOnly,
    sizes: [...new Set(all.flatMap(({ sizes }) => sizes))],
    seed: all.some(({ seed }) => seed),
    referenceImages: Math.max(0, ...all.map(({ referenceImages }) => referenceImages)),
    previews: all.some(({ previews }) => previews),
  }
}

/** Returns the format to ask a model for: one that keeps transparency where it is asked for. */
export function formatFor({ fields }: ListedModel, isTransparent: boolean): string | undefined {
  const formats = fields.get('output_format') ?? []
  return rasterFormats.find((format) => formats.includes(format) && !(isTransparent && format === 'jpeg'))
}
