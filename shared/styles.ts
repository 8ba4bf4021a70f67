import type { EngineKind, ImageSize, Lora } from './engines.ts'
import type { TextLimit } from './limits.ts'

/** Maximum length of a template or a negative prompt of a style. */
export const styleTextLimit: TextLimit = { characters: 1_000, codeUnits: 4_000 }

/** Maximum number of a user's own styles, and of those of the site besides those that ship. */
export const ownStylesMax = 50
export const siteStylesMax = 100

/** Stands for the words of a user in a template. */
export const promptSlot = '{prompt}'

/** A named way to draw or paint what a prompt says. */
export interface Style {
  readonly id: string
  readonly name: string
  /** Text for the engine, with `{prompt}` in the place of the user's words. */
  readonly template: string
  readonly negativePrompt: string
  /** Id of the only engine that it is for; null if it is for several. */
  readonly engine: string | null
  /** Null: that of the request, or the default of the engine. */
  readonly size: ImageSize | null
  readonly loras: readonly Lora[]
  /** True if its words mean nothing to the embedded engine. */
  readonly isForModels: boolean
  /** Path of a drawing on this site. */
  readonly coverUrl: string
  /** True if everyone sees it; false for the caller's own. */
  readonly isOfSite: boolean
}

/** A style as the recipe of an image keeps it, apart from the words that were typed. */
export type RecipeStyle = Pick<Style, 'id' | 'name' | 'template'>

/** Returns the text for the engine. */
export function applyTemplate({ template }: Pick<Style, 'template'>, prompt: string): string {
  return template.replace(promptSlot, () => prompt)
}

/** Adds the negative prompt of a style to that of a request, unless it is in it already. */
export function joinNegative(own: string, { negativePrompt }: Pick<Style, 'negativePrompt'>): string {
  const known = new Set(own.split(',').map((part) => part.trim()))
  const isKnown = negativePrompt.split(',').every((part) => known.has(part.trim()))
  return isKnown ? own : [own, negativePrompt].filter(Boolean).join(', ')
}

/** Removes what `joinNegative` has added. */
export function withoutStyle(joined: string, { negativePrompt }: Pick<Style, 'negativePrompt'>): string {
  if (joined === negativePrompt) return ''
  const added = `, ${negativePrompt}`
  return joined.endsWith(added) ? joined.slice(0, -added.length) : joined
}

export function fitsEngine(
  { engine, isForModels }: Pick<Style, 'engine' | 'isForModels'>,
  { id, kind }: { readonly id: string; readonly kind: EngineKind },
): boolean {
  return engine === null ? !isForModels || kind !== 'rangoli' : engine === id
}
