import type { ImageSize } from '../../../shared/engines.ts'
import type { Recipe } from '../../../shared/images.ts'

/** Lists the known settings of a recipe with their names, without the prompt, which is shown next to it. */
export function recipeRows(
  recipe: Recipe,
  sizeLabel: (size: ImageSize) => string,
): (readonly [name: string, value: string])[] {
  const { size, strength, referenceImageIds } = recipe
  const rows: readonly (readonly [string, string | number | null])[] = [
    ['Engine', recipe.engineLabel || recipe.engine],
    ['Model', recipe.model],
    ['Size', size && sizeLabel(size)],
    ['Seed', recipe.seed],
    ['Steps', recipe.steps],
    ['Sampler', recipe.sampler],
    ['Scheduler', recipe.scheduler],
    ['CFG scale', recipe.cfgScale],
    ['Negative prompt', recipe.negativePrompt],
    ['Reference images', referenceImageIds.length || null],
    ['Strength', strength],
  ]
  return rows.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, String(value)] as const],
  )
}

/** Formats a recipe as an infotext of AUTOMATIC1111, which other programs and the form's import read. */
export function recipeText(recipe: Recipe): string {
  const pairs: readonly (readonly [string, string | number | null])[] = [
    ['Steps', recipe.steps],
    ['Sampler', recipe.sampler],
    ['Schedule type', recipe.scheduler],
    ['CFG scale', recipe.cfgScale],
    ['Seed', recipe.seed],
    ['Size', recipe.size],
    ['Model', recipe.model],
    ['Denoising strength', recipe.strength],
  ]
  const settings = pairs.flatMap(([name, value]) => {
    if (value === null || value === '') return []
    const text = String(value)
    return `${name}: ${/[,:\n]/.test(text) ? JSON.stringify(text) : text}`
  })
  return [
    recipe.prompt,
    ...(recipe.negativePrompt ? [`Negative prompt: ${recipe.negativePrompt}`] : []),
    ...(settings.length > 0 ? [settings.join(', ')] : []),
  ].join('\n')
}
