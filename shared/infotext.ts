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
    recipe.prompt,
    ...(recipe.negativePrompt === '' ? [] : [`Negative prompt: ${recipe.negativePrompt}`]),
    known.map(([name, value]) => `${name}: ${quoted(String(value))}`).join(', '),
  ].join('\n')
}

function quoted(value: string): string {
  return /[,:\n]/.test(value) ? JSON.stringify(value) : value
}
