/// <reference types="vite/types/importMeta.d.ts" />
import type { I18n, Messages } from '@lingui/core'
import { languagesOf } from '../text/catalogs.ts'

const i18nByLanguage = languagesOf(
  import.meta.glob<{ messages: Messages }>('../../src/i18n/locales/mail/*.po', { eager: true }),
)

/** Returns the messages of a language of mails; in English for one that the site does not have. */
export function mailI18n(language: string | null): I18n {
  const i18n = i18nByLanguage.get(language ?? 'en') ?? i18nByLanguage.get('en')
  if (!i18n) throw new Error('There are no messages of mails.')
  return i18n
}
