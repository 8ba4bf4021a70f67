import type { Context } from 'hono'
import { detectFromCookie, detectFromHeader } from 'hono/language'
import { directionOf, languageCookie, type LanguageOption } from '../../shared/languages.ts'
import { languages } from '../../src/i18n/messages.ts'

/** Request headers that the language of a page depends on. */
export const languageHeaders = 'Accept-Language, Cookie'

const detection = {
  order: [],
  lookupQueryString: '',
  lookupCookie: languageCookie,
  lookupFromPathIndex: 0,
  lookupFromHeaderKey: 'accept-language',
  caches: false,
  ignoreCase: true,
  fallbackLanguage: 'en',
  supportedLanguages: [...languages],
} satisfies Parameters<typeof detectFromCookie>[1]

/** Returns the language of a page: the chosen one, else the best that the browser accepts, else English. */
export function languageOf(c: Context): { readonly language: string; readonly isChosen: boolean } {
  const chosen = detectFromCookie(c, detection)
  if (chosen !== undefined) return { language: chosen, isChosen: true }
  return { language: detectFromHeader(c, detection) ?? detection.fallbackLanguage, isChosen: false }
}

/** The languages of the interface, by name. */
export const languageOptions: readonly LanguageOption[] = languages
  .map((code) => ({ code, name: nameOf(code), direction: directionOf(code) }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

function nameOf(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
