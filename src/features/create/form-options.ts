import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { acceptsSize, acceptsValue, detailsOf, dimensions } from '../../../shared/engines.ts'
import type { Engine, ImageSize, Lora, ParameterValues } from '../../../shared/engines.ts'
import { hasChoices } from '../../../shared/expand-prompt.ts'
import type { SucceededImage } from '../../../shared/images.ts'
import type { Post } from '../../../shared/posts.ts'
import { fitsEngine, type Style } from '../../../shared/styles.ts'
import { engineLabel } from '../../images/image.tsx'
import { parameterLabel } from '../../images/recipe.tsx'
import { seedMax } from '../../../shared/limits.ts'

/** An image of the user that a generation starts from. */
export type ReferenceImage = Pick<SucceededImage, 'id' | 'photo' | 'placeholder'>

/** Narrows an image to the parts that a draft keeps of a reference image. */
export function toReference({ id, photo, placeholder }: ReferenceImage): ReferenceImage {
  return { id, photo, placeholder }
}

export type RemixedPost = Pick<Post, keyof ReferenceImage | 'name' | 'prompt' | 'isSensitive'>

/**
 * What a user has chosen beyond the prompt. Values that the chosen engine does not take are kept for another one, and
 * are not sent.
 */
export interface FormOptions {
  /** Null: the words of the prompt as they are. */
  readonly style: Style | null
  /** Id of an engine; null: the first available one. */
  readonly engine: string | null
  /** Null: the default of the engine, like `size` and `strength`. */
  readonly model: string | null
  readonly size: ImageSize | null
  readonly count: number
  /** Null: random, or the plain image of the prompt. */
  readonly seed: number | null
  readonly negativePrompt: string
  readonly references: readonly ReferenceImage[]
  readonly mask: ReferenceImage | null
  readonly strength: number | null
  /** Of the model; those without a value are left to it. */
  readonly parameters: ParameterValues
  readonly loras: readonly Lora[]
  readonly remix: RemixedPost | null
}

/** Changed options; a function computes them from the current ones. */
export type OptionsPatch = Partial<FormOptions> | ((options: FormOptions) => Partial<FormOptions>)

export const defaultOptions: FormOptions = {
  style: null,
  engine: null,
  model: null,
  size: null,
  count: 1,
  seed: null,
  negativePrompt: '',
  references: [],
  mask: null,
  strength: null,
  parameters: {},
  loras: [],
  remix: null,
}

/** Returns the chosen engine; the first available one if none is chosen, or the chosen one is gone. */
export function engineFor(options: FormOptions, engines: readonly Engine[]): Engine | null {
  return (
    engines.find(({ id }) => id === options.engine) ??
    engines.find(({ isAvailable }) => isAvailable) ??
    engines[0] ??
    null
  )
}

/** Narrows the options to those that the engine takes, with the defaults for the others. */
export function acceptedOptions(options: FormOptions, engine: Engine | null): FormOptions {
  if (!engine) return defaultOptions
  const model = options.model !== null && engine.models.includes(options.model) ? options.model : null
  const { capabilities, parameters } = detailsOf(engine, model)
  const takes = ([name, value]: readonly [string, string | number | boolean]) =>
    parameters.some((parameter) => parameter.name === name && acceptsValue(parameter, value))
  const style = options.style && fitsEngine(options.style, engine) ? options.style : null
  const size = options.size ?? style?.size ?? null
  const references = options.references.slice(0, capabilities.referenceImages)
  const hasReference = references.length > 0
  return {
    ...options,
    style,
    engine: engine.id,
    model,
    size: size !== null && acceptsSize(capabilities, size) ? size : null,
    seed: capabilities.seed ? options.seed : null,
    negativePrompt: capabilities.negativePrompt ? options.negativePrompt.trim() : '',
    references,
    mask: hasReference && capabilities.mask ? options.mask : null,
    strength: hasReference && capabilities.strength ? options.strength : null,
    parameters: Object.fromEntries(Object.entries(options.parameters).filter(takes)),
    loras: options.loras.filter(({ name }) => capabilities.loras.includes(name)),
  }
}

/** Reports whether the chosen model takes one more reference image. */
export function takesReference(options: FormOptions, engine: Engine | null): boolean {
  const { model } = acceptedOptions(options, engine)
  return engine !== null && detailsOf(engine, model).capabilities.referenceImages > options.references.length
}

/**
 * Converts options to the input of `images.generate`, with null for what is as the server's defaults.
 *
 * @param prompt whose choices, if it has any, ask for the images in place of the count
 */
export function optionInputs(options: FormOptions, engines: readonly Engine[], prompt = '') {
  const engine = engineFor(options, engines)
  const { style, references, mask, remix, parameters, loras, ...accepted } = acceptedOptions(options, engine)
  return {
    ...accepted,
    ...(hasChoices(prompt) && { count: 1, expand: true }),
    styleId: style && style.id,
    parameters: Object.keys(parameters).length > 0 ? parameters : null,
    loras: loras.length > 0 ? [...loras] : null,
    engine: engine && engine !== engines[0] ? engine.id : null,
    referenceImageIds: references.map(({ id }) => id),
    maskImageId: mask && mask.id,
    remixOf: remix && remix.id,
  }
}

/** Fields of `images.generate` beyond the prompt. */
export type OptionInputs = Partial<ReturnType<typeof optionInputs>>

/** Describes what differs from the defaults, such as `832 × 1216 · seed 7 · 2 images`; empty if nothing does. */
export function describeOptions(i18n: I18n, options: FormOptions, engines: readonly Engine[]): string {
  const engine = engineFor(options, engines)
  if (!engine) return ''
  const accepted = acceptedOptions(options, engine)
  const { model, size, count, seed, negativePrompt, references, mask, strength, parameters, loras } = accepted
  const details = detailsOf(engine, model)
  const strengthText = strength === null ? '' : formatStrength(i18n, strength)
  return [
    engine !== engines[0] && engineLabel(engine.label, i18n),
    model !== null && model !== engine.models[0] && model,
    size !== null && size !== details.capabilities.sizes[0] && sizeLabel(size),
    seed !== null && i18n._(msg`seed ${seed}`),
    count > 1 && i18n._(msg`${plural(count, { one: '# image', other: '# images' })}`),
    negativePrompt !== '' && i18n._(msg`negative prompt`),
    references.length > 0 &&
      i18n._(
        msg`${plural({ count: references.length }, { one: '# reference image', other: '# reference images' })}`,
      ),
    mask !== null && i18n._(msg`mask`),
    strength !== null && i18n._(msg`strength ${strengthText}`),
    ...Object.entries(parameters).map(([name, value]) => {
      const isImage = details.parameters.some((one) => one.name === name && one.type === 'image')
      return isImage ? parameterLabel(name) : `${parameterLabel(name)} ${value}`
    }),
    ...loras.map(({ name, weight }) => `${name} ${weight}`),
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** Formats a strength for users, such as `0.50`. */
export function formatStrength(i18n: I18n, strength: number): string {
  return i18n.number(strength, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

/** Parses a seed as typed; null if it is none. Digits beyond the maximum give the maximum. */
export function parseSeed(text: string): number | null {
  const digits = text.trim()
  return /^\d+$/.test(digits) ? Math.min(Number(digits), seedMax) : null
}

/** Formats a size for users, such as `832 × 1216`. */
export function sizeLabel(size: ImageSize): string {
  return dimensions(size).join(' × ')
}

const commonRatios = [
  [1, 1],
  [4, 3],
  [3, 2],
  [16, 9],
  [21, 9],
] as const

/** Groups sizes by aspect ratio, such as `2:3`, in the order of the first size of each. */
export function groupByRatio(sizes: readonly ImageSize[]): { ratio: string; sizes: ImageSize[] }[] {
  const groups = new Map<string, ImageSize[]>()
  for (const size of sizes) {
    const ratio = ratioOf(size)
    groups.set(ratio, [...(groups.get(ratio) ?? []), size])
  }
  return [...groups].map(([ratio, ofRatio]) => ({ ratio, sizes: ofRatio }))
}

/** Names the aspect ratio of a size: the nearest common one, as engines round sides to multiples of 8 or 64. */
export function ratioOf(size: ImageSize): string {
  const [width, height] = dimensions(size)
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  const distance = ([a, b]: readonly [number, number]) => Math.abs(Math.log((long * b) / (short * a)))
  const [a, b] = commonRatios.reduce((nearest, ratio) =>
    distance(ratio) < distance(nearest) ? ratio : nearest,
  )
  return width >= height ? `${a}:${b}` : `${b}:${a}`
}
