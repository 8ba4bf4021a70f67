import type { I18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import type { PageData } from '../shared/page-data.ts'
import { AnnouncementList } from './announcements.tsx'
import { cachePageData } from './api/page-data.ts'
import { createQueryClient } from './api/query-client.ts'
import { App, lazyPages } from './app.tsx'
import type { PageLocation } from './browser/page-history.ts'
import { loadSessionProvider } from './features/auth/session-provider.tsx'
import { EmptyGallery } from './features/gallery/results.tsx'
import { HiddenPost } from './features/post/post-view.tsx'
import { languages, loadI18n } from './i18n/messages.ts'
import { OfflinePage } from './offline-page.tsx'
import { describePage, type PageMeta } from './page-meta.ts'

// Rendering is synchronous.
const i18nByLanguage = new Map(
  await Promise.all(languages.map(async (language) => [language, await loadI18n(language)] as const)),
)
await Promise.all([
  loadSessionProvider('clerk'),
  AnnouncementList.load(),
  EmptyGallery.load(),
  HiddenPost.load(),
  ...Object.values(lazyPages).map(({ load }) => load()),
])

export interface RenderedPage extends PageMeta {
  /** Content of `#root`. */
  readonly html: string
}

export function i18nOf(language: string): I18n {
  const i18n = i18nByLanguage.get(language)
  if (!i18n) throw new Error(`There are no messages in ${language}.`)
  return i18n
}

/** Renders a page to HTML on the server, in the language of its data. */
export function render(request: PageLocation, data: PageData): RenderedPage {
  const queryClient = createQueryClient()
  const i18n = i18nOf(data.language)
  cachePageData(queryClient, request.path, data)
  const html = renderToString(
    <StrictMode>
      <App data={data} i18n={i18n} queryClient={queryClient} request={request} />
    </StrictMode>,
  )
  return { html, ...describePage(request.path, request.search, data, i18n) }
}

/** Renders the page that the service worker shows without a connection. */
export function renderOffline(siteName: string, language: string): string {
  return renderToStaticMarkup(
    <I18nProvider i18n={i18nOf(language)}>
      <OfflinePage siteName={siteName} />
    </I18nProvider>,
  )
}
