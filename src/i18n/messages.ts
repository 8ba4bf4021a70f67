import { setupI18n, type I18n, type Messages } from '@lingui/core'
import { formatsOf } from '../../shared/languages.ts'

interface Catalog {
  readonly messages: Messages
}

const catalogs = import.meta.glob<Catalog>('./locales/*.po')

/** The messages of pages that few visitors open. In the browser only: the build leaves them in the catalogs of the server. */
const otherCatalogs = import.meta.glob<Catalog>('./locales/*.po', { query: '?others.po' })

/** Languages of the interface, as BCP 47 tags. Each is a file of the folder `locales`. */
export const languages: readonly string[] = Object.keys(catalogs).map((path) =>
  path.slice('./locales/'.length, -'.po'.length),
)

/** True once a page has been opened that needs the other messages. */
let needsOthers = false
let ofDocument: Promise<I18n> | null = null

export async function loadMessages(language: string): Promise<Messages> {
  const path = `./locales/${language}.po`
  const hasOthers = needsOthers
  const parts = await Promise.all([catalogs[path]?.(), hasOthers ? otherCatalogs[path]?.() : null])
  if (needsOthers && !hasOthers) return loadMessages(language)
  if (!parts[0]) throw new Error(`There are no messages in ${language}.`)
  return Object.assign({}, ...parts.map((part) => part?.messages)) as Messages
}

/** Loads a language, for the provider of a page. */
export async function loadI18n(language: string): Promise<I18n> {
  const messages = await loadMessages(language)
  return setupI18n({ locale: language, locales: formatsOf(language), messages: { [language]: messages } })
}

export function loadDocumentI18n(language: string): Promise<I18n> {
  return (ofDocument = loadI18n(language))
}

/** Loads the messages of parts that few visitors open, in the language of the document and in those that it changes to. */
export async function loadOtherMessages(): Promise<void> {
  needsOthers = true
  const i18n = await ofDocument
  if (!i18n) return
  const { locale } = i18n
  const messages = await loadMessages(locale)
  // The user has changed it meanwhile.
  if (i18n.locale !== locale) return loadOtherMessages()
  // Nothing rendered so far has them: unlike `load`, this renders nothing again.
  Object.assign(i18n.messages, messages)
}

/** Loads such a part with its messages. @see server/launch/messages.mjs */
export async function withOtherMessages<Part>(part: Promise<Part>): Promise<Part> {
  return (await Promise.all([part, loadOtherMessages()]))[0]
}
