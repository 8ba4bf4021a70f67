import { setupI18n, type I18n, type Messages } from '@lingui/core'
import { formatsOf } from '../../shared/languages.ts'

/** Returns the languages of texts that only the server shows, from modules of catalogs whose paths end with the language. */
export function languagesOf(
  catalogs: Readonly<Record<string, { readonly messages: Messages }>>,
): ReadonlyMap<string, I18n> {
  return new Map(
    Object.entries(catalogs).map(([path, { messages }]) => {
      const language = path.slice(path.lastIndexOf('/') + 1, -'.po'.length)
      const i18n = setupI18n({
        locale: language,
        locales: formatsOf(language),
        messages: { [language]: messages },
      })
      return [language, i18n] as const
    }),
  )
}
