import { setupI18n } from '@lingui/core'
import type { I18n, Messages } from '@lingui/core'
import { formatsOf } from '../../shared/languages.ts'

const catalogs = import.meta.glob<{ messages: Messages }>('./locales/*.po')

/** Languages of the interface, as BCP 47 tags. Each is a file of the folder `locales`. */
export const languages: readonly string[] = Object.keys(catalogs).map((path) =>
  path.slice('./locales/'.length, -'.po'.length),
)

/** Loads the messages of one language. */
export async function loadMessages(language: string): Promise<Messages> {
  const catalog = await catalogs[`./locales/${language}.po`]?.()
  if (!catalog) throw new Error(`There are no messages in ${language}.`)
  return catalog.messages
}

/** Loads a language, for the provider of a page. */
export async function loadI18n(language: string): Promise<I18n> {
  const messages = await loadMessages(language)
  return setupI18n({ locale: language, locales: formatsOf(language), messages: { [language]: messages } })
}
