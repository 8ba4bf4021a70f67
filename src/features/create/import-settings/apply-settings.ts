import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { acceptsSize, type Engine, type ImageSize, detailsOf } from '../../../../shared/engines.ts'
import { escapeChoices } from '../../../../shared/expand-prompt.ts'
import type { ImportedSettings, OtherSetting } from '../../../../shared/embedded-settings.ts'
import type { Recipe } from '../../../../shared/images.ts'
import { lorasMax, loraWeightMax, seedMax } from '../../../../shared/limits.ts'
import { applyTemplate, fitsEngine, withoutStyle, type Style } from '../../../../shared/styles.ts'
import {
  defaultOptions,
  engineFor,
  sizeLabel,
  type FormOptions,
  type ReferenceImage,
} from '../form-options.ts'

const otherLabels: Readonly<Record<OtherSetting, MessageDescriptor>> = {
  steps: msg`steps`,
  sampler: msg`sampler`,
  scheduler: msg`scheduler`,
  cfgScale: msg`CFG scale`,
  strength: msg`strength`,
  clipSkip: msg`clip skip`,
  upscaling: msg`upscaling`,
  controlNets: msg`ControlNets`,
}

type Settings = Pick<FormOptions, 'style' | 'mask'> &
  Pick<Recipe, 'prompt' | 'negativePrompt' | 'size' | 'seed' | 'strength' | 'parameters' | 'loras'> & {
    readonly model: string | null
    readonly references: readonly ReferenceImage[]
  }

/** Applies what a file says about its image to the chosen engine. */
export function applyImported(imported: ImportedSettings, options: FormOptions, engines: readonly Engine[]) {
  const { width, height } = imported
  const size: ImageSize | null = width !== null && height !== null ? `${width}x${height}` : null
  const others = imported.others.map((name) => otherLabels[name])
  const settings = { ...imported, style: null, size, references: [], mask: null, strength: null }
  return apply(settings, others, options, engineFor(options, engines))
}

/**
 * Applies the recipe of one of the user's images: also its engine, if it is available. The prompt has the words of a style that
 * is not offered as it was then.
 *
 * @param images its reference images and mask that still exist
 * @param styles those that are offered now
 */
export function applyRecipe(
  recipe: Recipe,
  options: FormOptions,
  engines: readonly Engine[],
  images: readonly ReferenceImage[],
  styles: readonly Style[] = [],
) {
  const engine =
    engines.find(({ id, isAvailable }) => id === recipe.engine && isAvailable) ?? engineFor(options, engines)
  const references = recipe.referenceImageIds.flatMap((id) => images.find((image) => image.id === id) ?? [])
  const hasReferences = references.length === recipe.referenceImageIds.length
  const mask = (hasReferences && images.find(({ id }) => id === recipe.maskImageId)) || null
  const engineName = recipe.engineLabel || recipe.engine
  const others = [
    recipe.engine !== engine?.id && msg`engine ${engineName}`,
    !hasReferences && msg`reference images`,
    recipe.maskImageId !== undefined && !mask && msg`mask`,
  ].filter((label) => label !== false)
  const { style: former, negativePrompt } = recipe
  const style =
    styles.find(
      (one) => one.id === former?.id && one.template === former.template && engine && fitsEngine(one, engine),
    ) ?? null
  const settings = {
    ...recipe,
    style,
    prompt: former && !style && recipe.prompt ? applyTemplate(former, recipe.prompt) : recipe.prompt,
    negativePrompt: style ? withoutStyle(negativePrompt, style) : negativePrompt,
    model: recipe.model || null,
    references,
    mask,
  }
  return apply(settings, others, { ...options, engine: engine?.id ?? null }, engine)
}

function apply(
  settings: Settings,
  others: readonly MessageDescriptor[],
  options: FormOptions,
  engine: Engine | null,
) {
  const { prompt, negativePrompt, size, seed, references, mask, strength, style } = settings
  const model = settings.model === null ? null : findModel(engine?.models, settings.model)
  const capabilities = engine?.capabilities && detailsOf(engine, model).capabilities
  const hasSize = size !== null && capabilities !== undefined && acceptsSize(capabilities, size)
  const hasSeed = seed !== null && seed <= seedMax && capabilities?.seed === true
  const wantedLoras = settings.loras ?? []
  const lorasByName = new Map<string, number>()
  for (const { name, weight } of wantedLoras) {
    const found = findModel(capabilities?.loras, name)
    const bounded = Math.max(-loraWeightMax, Math.min(weight, loraWeightMax))
    if (found !== null && lorasByName.size < lorasMax) lorasByName.set(found, bounded)
  }
  const loras = Array.from(lorasByName, ([name, weight]) => ({ name, weight }))
  const sizeText = size ? sizeLabel(size) : ''
  const modelName = settings.model ?? ''
  const styleText = style?.name ?? ''
  /** Labels, whether there is a value, and whether the engine takes it. */
  const wanted: readonly (readonly [MessageDescriptor, isGiven: boolean, fits: boolean])[] = [
    [msg`prompt`, prompt !== '', true],
    [msg`style ${styleText}`, style !== null, true],
    [msg`negative prompt`, negativePrompt !== '', capabilities?.negativePrompt === true],
    [msg`size ${sizeText}`, size !== null, hasSize],
    // Seeds of ComfyUI have 64 bits, more than a number holds exactly.
    [seed !== null && Number.isSafeInteger(seed) ? msg`seed ${seed}` : msg`seed`, seed !== null, hasSeed],
    [msg`model ${modelName}`, settings.model !== null, model !== null],
    [
      references.length === 1 ? msg`reference image` : msg`reference images`,
      references.length > 0,
      references.length <= (capabilities?.referenceImages ?? 0),
    ],
    [msg`mask`, mask !== null, capabilities?.mask === true],
    [msg`LoRAs`, wantedLoras.length > 0, loras.length === wantedLoras.length],
    [msg`strength`, strength !== null, references.length > 0 && capabilities?.strength === true],
  ]
  const given = wanted.filter(([, isGiven]) => isGiven)
  return {
    /** With escapes where the other one looks like a choice. */
    prompt: escapeChoices(prompt),
    options: {
      ...defaultOptions,
      style,
      engine: options.engine,
      count: options.count,
      model,
      size: hasSize ? size : null,
      seed: hasSeed ? seed : null,
      negativePrompt,
      references,
      mask,
      strength,
      parameters: settings.parameters ?? {},
      loras,
    },
    /** Names of the settings that the form has now, such as `seed 7`. */
    taken: given.flatMap(([label, , fits]) => (fits ? label : [])),
    /** Names of the settings that the chosen engine, or the form, does not have. */
    left: [...given.flatMap(([label, , fits]) => (fits ? [] : label)), ...others],
  }
}

/** Settings of another image in the form's terms. */
export type AppliedSettings = ReturnType<typeof apply>

/** Finds a model by its name, or else without folder, extension and hash, which programs write or leave out. */
function findModel(models: readonly string[] = [], wanted: string): string | null {
  const bare = (model: string) =>
    model
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\s*\[[0-9a-f]+\]$/i, '')
      .replace(/\.(?:safetensors|ckpt|gguf|sft|pt)$/i, '')
      .toLowerCase()
  return models.find((name) => name === wanted) ?? models.find((name) => bare(name) === bare(wanted)) ?? null
}
