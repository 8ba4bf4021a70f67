import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { detectFromCookie, detectFromHeader } from 'hono/language'
import { directionOf, languageCookie, type LanguageOption } from '../../shared/languages.ts'
import { viewCookie, type ListView } from '../../shared/page-data.ts'
import { languages } from '../../src/i18n/messages.ts'

/** Request headers that a page depends on, by its language and the view of its list. */
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

/** Returns the chosen view of lists of posts. */
export function viewOf(c: Context): ListView {
  return getCookie(c, viewCookie) === 'shapes' ? 'shapes' : 'squares'
}

/** The languages of the interface, by name. */
export const languageOptions: readonly LanguageOption[] = languages
  .map((code) => ({ code, name: nameOf(code), direction: directionOf(code) }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

function nameOf(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
