/// <reference types="vite/types/importMeta.d.ts" />
import { setupI18n, type I18n, type Messages } from '@lingui/core'
import { formatsOf } from '../../shared/languages.ts'

/** Messages of mails have catalogs of their own, which no browser loads. */
const catalogs = import.meta.glob<{ messages: Messages }>('../../src/i18n/locales/mail/*.po', { eager: true })

const i18nByLanguage = new Map(
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

/** Returns the messages of a language of mails; in English for one that the site does not have. */
export function mailI18n(language: string | null): I18n {
  const i18n = i18nByLanguage.get(language ?? 'en') ?? i18nByLanguage.get('en')
  if (!i18n) throw new Error('There are no messages of mails.')
  return i18n
}
