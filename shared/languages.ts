/** Cookie of a chosen language, a BCP 47 tag. Without it the browser's Accept-Language decides. */
export const languageCookie = 'language'

export interface LanguageOption {
  /** BCP 47 tag. */
  readonly code: string
  /** Its name in the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/**
 * Locale by which numbers and dates are formatted. Names the digits and the calendar, which would otherwise depend on the
 * version of the locale data: server and browser have different ones.
 */
export function formatsOf(language: string): string {
  return `${language}-u-ca-gregory-nu-latn`
}

/** `Intl.Locale` as of ES2026, which older versions of Node.js have under an earlier name. */
interface DirectedLocale {
  readonly textInfo?: { readonly direction: 'ltr' | 'rtl' }
  getTextInfo?(): { readonly direction: 'ltr' | 'rtl' }
}

export function directionOf(code: string): 'ltr' | 'rtl' {
  const locale = new Intl.Locale(code) as DirectedLocale
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction ?? 'ltr'
}
