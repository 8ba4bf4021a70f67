import type { I18n, Messages } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { languagesOf } from '../../text/catalogs.ts'
import { ReferenceContent } from './reference-content.tsx'

const i18nByLanguage = languagesOf(
  import.meta.glob<{ messages: Messages }>('../../../src/i18n/locales/reference/*.po', { eager: true }),
)

/**
 * Renders the page of the REST API in a language.
 *
 * @param origin of the URLs in examples; null if the request has no valid host
 */
export function renderReference(origin: string | null, language: string): string {
  return renderToStaticMarkup(
    <I18nProvider i18n={referenceI18n(language)}>
      <ReferenceContent origin={origin ?? 'https://gallery.example.com'} english={referenceI18n('en')} />
    </I18nProvider>,
  )
}

function referenceI18n(language: string): I18n {
  const i18n = i18nByLanguage.get(language)
  if (!i18n) throw new Error(`There is no reference in ${language}.`)
  return i18n
}
