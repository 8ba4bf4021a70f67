import type { Lora } from './engines.ts'
import { takeLoras } from './infotext.ts'

/** Texts in which programs store how they generated an image, as far as a file has them. */
export interface EmbeddedTexts {
  /** PNG text chunks by keyword. */
  readonly chunks: Readonly<Record<string, string>>
  /** EXIF UserComment. */
  readonly userComment: string | null
  /** Other EXIF texts; ComfyUI writes graphs of WebP files into them. */
  readonly exifTexts: readonly string[]
  /** XMP packet. */
  readonly xmp: string | null
}

/** A setting that no form has a field for. */
export type OtherSetting =
  | 'steps'
  | 'sampler'
  | 'scheduler'
  | 'cfgScale'
  | 'strength'
  | 'clipSkip'
  | 'upscaling'
  | 'controlNets'

/**
 * Returns the encoding of an EXIF UserComment, which its first 8 bytes name. `UNICODE` is UTF-16 in the byte order of the file
 * by the standard, but programs write either order, so the zero bytes of ASCII characters decide.
 */
export function userCommentEncoding(comment: Uint8Array): 'utf-8' | 'utf-16be' | 'utf-16le' {
  if (String.fromCharCode(...comment.subarray(0, 7)) !== 'UNICODE') return 'utf-8'
  const zeros = (parity: number) => comment.filter((byte, index) => byte === 0 && index % 2 === parity).length
  return zeros(0) > zeros(1) ? 'utf-16be' : 'utf-16le'
}

/** Finds the settings of an image in its metadata; null if there are none in a known format. */
export function parseSettings(texts: EmbeddedTexts): ImportedSettings | null {
  const { chunks, userComment, exifTexts, xmp } = texts
  const graphs = exifTexts.flatMap((text) => /^prompt:\s*(\{.*)$/is.exec(text)?.[1] ?? [])
  const candidates = [
    () => parseOwn(xmp),
    () => parseInvoke(chunks['invokeai_metadata']),
    () => parseInvokeLegacy(chunks['sd-metadata']),
    // SwarmUI and A1111 use the same keyword: SwarmUI's value is JSON.
    ...[chunks['parameters'], userComment].flatMap((text) => [
      () => parseSwarm(text),
      () => parseInfotext(text),
    ]),
    ...[chunks['prompt'], userComment, ...graphs].map((text) => () => parseComfyUi(text)),
  ]
  for (const candidate of candidates) {
    const found = candidate()
    if (found && (found.prompt || found.seed !== null)) return found
  }
  return null
}

/** Names of settings that no form has a field for, in the metadata of most programs, and those of infotexts, in lower case. */
const otherSettings: Readonly<Record<string, OtherSetting>> = {
  steps: 'steps',
  cfg_scale: 'cfgScale',
  cfgscale: 'cfgScale',
  cfg: 'cfgScale',
  sampler: 'sampler',
  sampler_name: 'sampler',
  scheduler: 'scheduler',
  strength: 'strength',
  denoise: 'strength',
  controlnets: 'controlNets',
  'schedule type': 'scheduler',
  'cfg scale': 'cfgScale',
  'denoising strength': 'strength',
  'clip skip': 'clipSkip',
  'hires upscale': 'upscaling',
}

/** Settings of an image, as far as its file has them. */
export type ImportedSettings = ReturnType<typeof fromFields>

/** Reads settings by their names in SwarmUI, most of which other programs have, too. */
function fromFields(format: string, fields: Readonly<Record<string, unknown>>, model = fields['model']) {
  return {
    /** Format of the metadata, for users. */
    format,
    prompt: textOf(fields['prompt']),
    negativePrompt: textOf(fields['negativeprompt']),
    width: sideOf(fields['width']),
    height: sideOf(fields['height']),
    seed: seedOf(fields['seed']),
    model: nonEmpty(model),
    loras: [] as readonly Lora[],
    /** Settings that the file has, and that no form has a field for. */
    others: othersOf(fields),
  }
}

/** Parses the XMP of this program's downloads. */
function parseOwn(xmp: string | null): ImportedSettings | null {
  if (!xmp?.includes('urn:rangoli:image:1.0:')) return null
  const fields = Object.fromEntries(
    Array.from(xmp.matchAll(/<rangoli:(\w+)>([^<]*)</g), ([, name = '', text = '']) => [
      name.toLowerCase(),
      decodeXml(text),
    ]),
  )
  const model = decodeXml(/rangoli:Model="([^"]*)"/.exec(xmp)?.[1] ?? '')
  const settings = fromFields('Rangoli', { ...fields, ...sidesOf(fields['size']) }, model)
  return { ...settings, loras: takeLoras(fields['loras'] ?? '').loras }
}

const xmlEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXml(text: string): string {
  return text.replaceAll(/&(\w+);/g, (entity, name: string) => xmlEntities[name] ?? entity)
}

/** Maximum length of an infotext's last line. Searching it for pairs may take a time that grows with its square. */
const maxLineLength = 10_000

/**
 * Parses the infotext of AUTOMATIC1111 and its forks: the prompt, `Negative prompt: …`, and a last line of
 * `Name: value` pairs, whose values are in quotes if they have commas.
 *
 * @see https://github.com/AUTOMATIC1111/stable-diffusion-webui/blob/master/modules/infotext_utils.py
 */
function parseInfotext(text: string | null | undefined): ImportedSettings | null {
  if (!text) return null
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n')
  const lastLine = lines.at(-1) ?? ''
  if (lastLine.length > maxLineLength) return null
  const pairs = Object.fromEntries(
    Array.from(
      lastLine.matchAll(/([\w ()/-]+):\s*("(?:\\.|[^\\"])+"|[^,]*)(?:,|$)/g),
      ([, name = '', value = '']) => [name.trim().toLowerCase(), unquote(value.trim())],
    ),
  )
  // As in AUTOMATIC1111, three pairs tell an infotext from other comments.
  const names = Object.keys(pairs)
  if (names.length < 3 || !['steps', 'seed', 'size', 'model'].some((name) => names.includes(name)))
    return null
  const body = lines.slice(0, -1).join('\n')
  const [prompt = '', ...negative] = body.split(/(?:^|\n)Negative prompt:/)
  return {
    ...fromFields('AUTOMATIC1111', { ...pairs, ...sidesOf(pairs['size']) }),
    ...takeLoras(prompt),
    negativePrompt: negative.join('\n').trim(),
  }
}

/**
 * Parses SwarmUI's metadata: `{ "sui_image_params": { … } }`.
 *
 * @see https://github.com/mcmonkeyprojects/SwarmUI/blob/master/docs/Image%20Metadata%20Format.md
 */
function parseSwarm(text: string | null | undefined): ImportedSettings | null {
  const params = record(record(parsePythonJson(text))?.['sui_image_params'])
  if (!params) return null
  const weights = listOf(params['loraweights'])
  const loras = listOf(params['loras']).flatMap((name, index) => loraOf(name, weights[index]))
  return { ...fromFields('SwarmUI', params), loras }
}

/**
 * Parses InvokeAI's metadata since version 3.
 *
 * @see https://github.com/invoke-ai/InvokeAI/blob/main/invokeai/app/invocations/metadata.py
 */
function parseInvoke(text: string | null | undefined): ImportedSettings | null {
  const metadata = record(parsePythonJson(text))
  if (!metadata) return null
  const model = record(metadata['model'])
  const name = model?.['name'] ?? model?.['model_name'] ?? metadata['model']
  const { positive_prompt: prompt, negative_prompt: negativeprompt } = metadata
  const loras = listOf(metadata['loras']).flatMap((entry) => {
    const { model: of, lora, weight } = record(entry) ?? {}
    return loraOf(record(of)?.['name'] ?? record(lora)?.['model_name'], weight)
  })
  return { ...fromFields('InvokeAI', { ...metadata, prompt, negativeprompt }, name), loras }
}

/** Parses `sd-metadata` of InvokeAI 2, whose prompt has the negative one in brackets. */
function parseInvokeLegacy(text: string | null | undefined): ImportedSettings | null {
  const metadata = record(parsePythonJson(text))
  const image = record(metadata?.['image'])
  if (!image) return null
  const [first] = Array.isArray(image['prompt']) ? image['prompt'] : [image['prompt']]
  const prompt = textOf(record(first)?.['prompt'] ?? first)
  const negative = Array.from(prompt.matchAll(/\[([^[\]]*)\]/g), ([, words = '']) => words)
  return {
    ...fromFields('InvokeAI', image, metadata?.['model_weights']),
    prompt: prompt.replaceAll(/ ?\[[^[\]]*\]/g, '').trim(),
    negativePrompt: negative.join(', '),
  }
}

interface GraphNode {
  readonly type: string
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Maximum number of links that are followed from a sampler. Graphs of files may have cycles. */
const maxLinks = 32

/** Parses a graph of ComfyUI in API format: follows the links of its sampler to the texts, the seed and the size. */
function parseComfyUi(text: string | null | undefined): ImportedSettings | null {
  const nodes = record(parsePythonJson(text))
  if (!nodes) return null
  const nodeAt = (link: unknown): GraphNode | null => {
    const node = Array.isArray(link) ? record(nodes[String(link[0])]) : null
    const inputs = record(node?.['inputs'])
    return node && inputs ? { type: textOf(node['class_type']), inputs } : null
  }
  const all = Object.keys(nodes).flatMap((id) => nodeAt([id]) ?? [])
  const sampler = all.find(({ type, inputs }) => /sampler/i.test(type) && 'latent_image' in inputs)
  if (!sampler) return null

  /** Follows links until a node has a value under one of the names; `via` are inputs that nodes pass on. */
  function follow<Value>(
    link: unknown,
    names: readonly string[],
    via: readonly string[],
    read: (value: unknown) => Value | null,
  ): Value | null {
    let next = link
    for (let links = 0; links < maxLinks; links += 1) {
      const inputs = nodeAt(next)?.inputs
      if (!inputs) return null
      for (const name of names) {
        const found = Array.isArray(inputs[name]) ? null : read(inputs[name])
        if (found !== null) return found
      }
      next = [...names, ...via].map((name) => inputs[name]).find(Array.isArray)
    }
    return null
  }

  const { inputs } = sampler
  // SamplerCustomAdvanced links to a guider, which has the conditionings, and to a source of noise.
  const guider = nodeAt(inputs['guider'])?.inputs ?? inputs
  const noise = nodeAt(inputs['noise'])?.inputs ?? inputs
  const seeds = [noise['seed'], noise['noise_seed']]
  const latent = (name: string) =>
    follow(inputs['latent_image'], [name, 'value'], ['samples', 'latent'], sideOf)
  const conditioning = (side: 'positive' | 'negative') =>
    follow(
      guider[side] ?? (side === 'positive' ? guider['conditioning'] : null),
      ['text', 'text_g', 'clip_l', 't5xxl', 'prompt', 'string', 'value'],
      ['conditioning', 'conditioning_1', 'conditioning_to', side],
      nonEmpty,
    ) ?? ''
  return {
    format: 'ComfyUI',
    prompt: conditioning('positive'),
    negativePrompt: conditioning('negative'),
    width: latent('width'),
    height: latent('height'),
    seed:
      seeds
        .map((seed) =>
          Array.isArray(seed) ? follow(seed, ['seed', 'value', 'int'], [], seedOf) : seedOf(seed),
        )
        .find((seed) => seed !== null) ?? null,
    model: follow(guider['model'], ['ckpt_name', 'unet_name', 'model_name'], ['model'], nonEmpty),
    loras: all.flatMap(({ type, inputs: { lora_name: name, strength_model: weight } }) =>
      type.startsWith('LoraLoader') ? loraOf(name, weight) : [],
    ),
    others: othersOf({ ...nodeAt(inputs['sigmas'])?.inputs, ...inputs }),
  }
}

/** Reads a LoRA; none without a name. Programs write weights as numbers or texts. */
function loraOf(name: unknown, weight: unknown): readonly Lora[] {
  const value = Number(weight ?? 1)
  return typeof name === 'string' && name !== '' ? [{ name, weight: Number.isFinite(value) ? value : 1 }] : []
}

function othersOf(values: Readonly<Record<string, unknown>>): readonly OtherSetting[] {
  const isPresent = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
  const present = Object.entries(otherSettings).filter(([name]) => isPresent(values[name]))
  return [...new Set(present.map(([, setting]) => setting))]
}

/** Parses JSON as programs in Python write it, where numbers may be `NaN`. */
function parsePythonJson(text: string | null | undefined): unknown {
  if (!text?.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(text.replaceAll(/([:[,]\s*)(?:NaN|-?Infinity)(?=\s*[,\]}])/g, '$1null'))
  } catch {
    return null
  }
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

function nonEmpty(value: unknown): string | null {
  return textOf(value) || null
}

/** A whole number that is not negative: programs use -1 for a random seed. */
function seedOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null
}

/** Reads a size such as `832x1216`. */
function sidesOf(size = ''): { readonly width?: string; readonly height?: string } {
  return /^(?<width>\d+)x(?<height>\d+)$/.exec(size)?.groups ?? {}
}

function sideOf(value: unknown): number | null {
  const side = seedOf(value)
  return side !== null && side > 0 && side <= 65_536 ? side : null
}
