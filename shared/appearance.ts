/** A value for every language, or values by language, a BCP 47 tag; '' for the other languages. */
export type Localized<Value> = Value | Readonly<Record<string, Value>>

/** What administrators chose of the appearance of the site; null for the default. */
export interface Appearance {
  readonly name: Localized<string> | null
  /** Email or web address of the operator. */
  readonly contact: Localized<string> | null
  /** Color as `#rrggbb`. */
  readonly accent: Localized<string> | null
  /** Image as a data URL. */
  readonly logo: Localized<string> | null
  /** Sentence below the heading of the gallery. */
  readonly welcome: Localized<string> | null
  /** Prompts to start from. */
  readonly examples: Localized<readonly string[]> | null
  /** Markdown. */
  readonly rules: Localized<string> | null
}

export const appearanceFields = ['name', 'contact', 'accent', 'logo', 'welcome', 'examples', 'rules'] as const

export type AppearanceField = (typeof appearanceFields)[number]

/** The appearance, with the environment variables that fix parts of it. */
export interface AppearanceSettings extends Appearance {
  readonly fixed: Partial<Readonly<Record<AppearanceField, string>>>
}

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
