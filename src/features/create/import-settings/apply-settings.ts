import { acceptsSize, type Engine, type ImageSize } from '../../../../shared/engines.ts'
import type { Recipe } from '../../../../shared/images.ts'
import { seedMax } from '../../../../shared/limits.ts'
import {
  defaultOptions,
  engineFor,
  sizeLabel,
  type FormOptions,
  type ReferenceImage,
} from '../form-options.ts'
import type { ImportedSettings } from './parse-settings.ts'

/** Settings of another image in the form's terms. */
export interface AppliedSettings {
  readonly prompt: string
  readonly options: FormOptions
  /** Names of the settings that the form has now, such as `seed 7`. */
  readonly taken: readonly string[]
  /** Names of the settings that the chosen engine, or the form, does not have. */
  readonly left: readonly string[]
}

interface Settings {
  readonly prompt: string
  readonly negativePrompt: string
  readonly size: ImageSize | null
  readonly seed: number | null
  readonly model: string | null
  readonly references: readonly ReferenceImage[]
  readonly strength: number | null
  readonly others: readonly string[]
}

/** Applies what a file says about its image to the chosen engine. */
export function applyImported(
  imported: ImportedSettings,
  options: FormOptions,
  engines: readonly Engine[],
): AppliedSettings {
  const { width, height } = imported
  return apply(
    {
      ...imported,
      size: width !== null && height !== null ? `${width}x${height}` : null,
      references: [],
      strength: null,
    },
    options,
    engineFor(options, engines),
  )
}

/**
 * Applies the recipe of one of the user's images: also its engine, if it is available.
 *
 * @param images its reference images that still exist
 */
export function applyRecipe(
  recipe: Recipe,
  options: FormOptions,
  engines: readonly Engine[],
  images: readonly ReferenceImage[],
): AppliedSettings {
  const engine =
    engines.find(({ id, isAvailable }) => id === recipe.engine && isAvailable) ?? engineFor(options, engines)
  const references = recipe.referenceImageIds.flatMap((id) => images.find((image) => image.id === id) ?? [])
  const missing = recipe.referenceImageIds.length - references.length
  return apply(
    {
      ...recipe,
      model: recipe.model || null,
      references,
      others: [
        ...(recipe.engine === engine?.id ? [] : [`engine ${recipe.engineLabel || recipe.engine}`]),
        ...(missing > 0 ? ['reference images'] : []),
      ],
    },
    { ...options, engine: engine?.id ?? null },
    engine,
  )
}

function apply(settings: Settings, options: FormOptions, engine: Engine | null): AppliedSettings {
  const { prompt, negativePrompt, size, seed, references, strength } = settings
  const { capabilities, models = [] } = engine ?? {}
  const model =
    models.find((name) => name === settings.model) ??
    models.find((name) => isSameModel(name, settings.model)) ??
    null
  const wanted = [
    { label: 'prompt', isGiven: prompt !== '', fits: true },
    {
      label: 'negative prompt',
      isGiven: negativePrompt !== '',
      fits: capabilities?.negativePrompt === true,
    },
    {
      label: size ? `size ${sizeLabel(size)}` : '',
      isGiven: size !== null,
      fits: size !== null && engine !== null && acceptsSize(engine.capabilities, size),
    },
    {
      // Seeds of ComfyUI have 64 bits, more than a number holds exactly.
      label: Number.isSafeInteger(seed) ? `seed ${seed}` : 'seed',
      isGiven: seed !== null,
      fits: seed !== null && seed <= seedMax && capabilities?.seed === true,
    },
    { label: `model ${settings.model}`, isGiven: settings.model !== null, fits: model !== null },
    {
      label: references.length === 1 ? 'reference image' : 'reference images',
      isGiven: references.length > 0,
      fits: references.length <= (capabilities?.referenceImages ?? 0),
    },
    {
      label: 'strength',
      isGiven: strength !== null,
      fits: references.length > 0 && capabilities?.strength === true,
    },
  ].filter(({ isGiven }) => isGiven)
  const takes = (start: string) => wanted.some(({ label, fits }) => fits && label.startsWith(start))
  return {
    prompt,
    options: {
      ...defaultOptions,
      engine: options.engine,
      count: options.count,
      model,
      size: takes('size') ? size : null,
      seed: takes('seed') ? seed : null,
      negativePrompt,
      references,
      strength,
    },
    taken: wanted.filter(({ fits }) => fits).map(({ label }) => label),
    left: [...wanted.filter(({ fits }) => !fits).map(({ label }) => label), ...settings.others],
  }
}

/** Compares names of models without folder, extension and hash, which programs write or leave out. */
function isSameModel(name: string, other: string | null): boolean {
  const bare = (model: string) =>
    model
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\s*\[[0-9a-f]+\]$/i, '')
      .replace(/\.(?:safetensors|ckpt|gguf|sft|pt)$/i, '')
      .toLowerCase()
  return other !== null && bare(name) === bare(other)
}
