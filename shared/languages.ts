/** Cookie of a chosen language, a BCP 47 tag. Without it the browser's Accept-Language decides. */
export const languageCookie = 'language'

/** A language of the interface. */
export interface LanguageOption {
  /** BCP 47 tag. */
  readonly code: string
  /** Its name in the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}
