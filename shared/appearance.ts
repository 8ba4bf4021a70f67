/** A value for every language, or values by language, a BCP 47 tag; '' for the other languages. */
export type Localized<Value> = Value | Readonly<Record<string, Value>>

/** What administrators choose of the appearance of the site. */
export const appearanceFields = [
  'name',
  /** Email or web address of the operator. */
  'contact',
  /** Color as `#rrggbb`. */
  'accent',
  /** Image as a data URL. */
  'logo',
  /** Sentence below the heading of the gallery. */
  'welcome',
  /** Prompts to start from. */
  'examples',
  /** Markdown. */
  'rules',
] as const

export type AppearanceField = (typeof appearanceFields)[number]

/** What they chose, null for the default, with the environment variables that fix parts of it. */
export type AppearanceSettings = {
  readonly [Field in AppearanceField]: Localized<Field extends 'examples' ? readonly string[] : string> | null
} & { readonly fixed: Partial<Readonly<Record<AppearanceField, string>>> }

export const examplesMax = 6

/** Longest side of logos, in pixels. */
export const logoSize = 256

/** Returns the values by language; '' for the other languages. */
export function byLanguage<Value extends string | readonly string[]>(
  value: Localized<Value>,
): Readonly<Record<string, Value>> {
  return typeof value === 'string' || Array.isArray(value)
    ? { '': value as Value }
    : (value as Readonly<Record<string, Value>>)
}

/** Returns the value for a language; without one, that for the others or for English, or else the first. */
export function inLanguage<Value extends string | readonly string[]>(
  value: Localized<Value> | null,
  language: string,
): Value | null {
  if (value === null) return null
  const values = byLanguage(value)
  return values[language] ?? values[''] ?? values['en'] ?? Object.values(values)[0] ?? null
}
