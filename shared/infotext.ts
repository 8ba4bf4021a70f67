import type { Lora } from './engines.ts'
import type { Recipe } from './images.ts'

/**
 * Describes a recipe in the format of AUTOMATIC1111's `parameters`, which many programs read: prompt, negative prompt, and a
 * last line of settings. That line needs three settings to be recognized, hence engine and version.
 *
 * @see https://github.com/AUTOMATIC1111/stable-diffusion-webui/blob/master/modules/infotext_utils.py
 */
export function infotext(recipe: Recipe): string {
  const settings: readonly (readonly [string, string | number | null])[] = [
    ['Steps', recipe.steps],
    ['Sampler', recipe.sampler],
    ['Schedule type', recipe.scheduler],
    ['CFG scale', recipe.cfgScale],
    ['Seed', recipe.seed],
    ['Size', recipe.size],
    ['Model', recipe.model],
    ['Denoising strength', recipe.strength],
    ['Style', recipe.style?.name ?? null],
    ['Engine', recipe.engineLabel || recipe.engine],
    ['Version', 'Rangoli'],
  ]
  const known = settings.filter(([, value]) => value !== null && value !== '')
  return [
    [recipe.prompt, loraTags(recipe.loras ?? [])].filter(Boolean).join(' '),
    ...(recipe.negativePrompt === '' ? [] : [`Negative prompt: ${recipe.negativePrompt}`]),
    known.map(([name, value]) => `${name}: ${quoted(String(value))}`).join(', '),
  ].join('\n')
}

/** Writes LoRAs as AUTOMATIC1111 has them in prompts, such as `<lora:ink:0.8>`. */
export function loraTags(loras: readonly Lora[]): string {
  return loras.map(({ name, weight }) => `<lora:${name}:${weight}>`).join(' ')
}

/** Takes the LoRAs out of a prompt. One without a weight has 1, and one without a number as its weight is part of the prompt. */
export function takeLoras(prompt: string): { readonly prompt: string; readonly loras: readonly Lora[] } {
  const tags = / ?<lora:([^<>:]+)(?::(-?\d+(?:\.\d+)?))?>/gi
  const loras = Array.from(prompt.matchAll(tags), ([, name = '', weight]) => ({
    name,
    weight: Number(weight ?? 1),
  }))
  return { prompt: prompt.replaceAll(tags, '').trim(), loras }
}

function quoted(value: string): string {
  return /[,:\n]/.test(value) ? JSON.stringify(value) : value
}
