import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
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
import type { ImportedSettings, OtherSetting } from './parse-settings.ts'

/** Settings of another image in the form's terms. */
export interface AppliedSettings {
  readonly prompt: string
  readonly options: FormOptions
  /** Names of the settings that the form has now, such as `seed 7`. */
  readonly taken: readonly MessageDescriptor[]
  /** Names of the settings that the chosen engine, or the form, does not have. */
  readonly left: readonly MessageDescriptor[]
}

const otherLabels: Readonly<Record<OtherSetting, MessageDescriptor>> = {
  steps: msg`steps`,
  sampler: msg`sampler`,
  scheduler: msg`scheduler`,
  cfgScale: msg`CFG scale`,
  strength: msg`strength`,
  clipSkip: msg`clip skip`,
  loras: msg`LoRAs`,
  upscaling: msg`upscaling`,
  controlNets: msg`ControlNets`,
}

interface Settings {
  readonly prompt: string
  readonly negativePrompt: string
  readonly size: ImageSize | null
  readonly seed: number | null
  readonly model: string | null
  readonly references: readonly ReferenceImage[]
  readonly strength: number | null
  readonly others: readonly MessageDescriptor[]
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
      others: imported.others.map((name) => otherLabels[name]),
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
  const engineName = recipe.engineLabel || recipe.engine
  return apply(
    {
      ...recipe,
      model: recipe.model || null,
      references,
      others: [
        ...(recipe.engine === engine?.id ? [] : [msg`engine ${engineName}`]),
        ...(missing > 0 ? [msg`reference images`] : []),
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
  const hasSize = size !== null && engine !== null && acceptsSize(engine.capabilities, size)
  const hasSeed = seed !== null && seed <= seedMax && capabilities?.seed === true
  const sizeText = size ? sizeLabel(size) : ''
  const modelName = settings.model ?? ''
  const wanted = [
    { label: msg`prompt`, isGiven: prompt !== '', fits: true },
    {
      label: msg`negative prompt`,
      isGiven: negativePrompt !== '',
      fits: capabilities?.negativePrompt === true,
    },
    { label: msg`size ${sizeText}`, isGiven: size !== null, fits: hasSize },
    {
      // Seeds of ComfyUI have 64 bits, more than a number holds exactly.
      label: seed !== null && Number.isSafeInteger(seed) ? msg`seed ${seed}` : msg`seed`,
      isGiven: seed !== null,
      fits: hasSeed,
    },
    { label: msg`model ${modelName}`, isGiven: settings.model !== null, fits: model !== null },
    {
      label: references.length === 1 ? msg`reference image` : msg`reference images`,
      isGiven: references.length > 0,
      fits: references.length <= (capabilities?.referenceImages ?? 0),
    },
    {
      label: msg`strength`,
      isGiven: strength !== null,
      fits: references.length > 0 && capabilities?.strength === true,
    },
  ].filter(({ isGiven }) => isGiven)
  return {
    prompt,
    options: {
      ...defaultOptions,
      engine: options.engine,
      count: options.count,
      model,
      size: hasSize ? size : null,
      seed: hasSeed ? seed : null,
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
