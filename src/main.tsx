import './theme/tokens.css'
import './theme/base.css'
import './ui/kit.css'
import type { I18n } from '@lingui/core'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { AnnouncementList } from './announcements.tsx'
import { cachePageData, readPageData } from './api/page-data.ts'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { hydrationEvents, Hydrated, startHydration } from './browser/hydration.tsx'
import { dialogsOfEntry } from './browser/page-history.ts'
import { loadSessionProvider } from './features/auth/session-provider.tsx'
import { loadI18n } from './i18n/messages.ts'
import { lazyPageOf } from './pages.tsx'
import { pageAt } from './routes.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')

const data = readPageData()
const queryClient = createQueryClient()
cachePageData(queryClient, location.pathname, data)

function hydrate(container: HTMLElement, i18n: I18n) {
  startHydration()
  // In slices of milliseconds, so that the browser responds to input meanwhile.
  startTransition(() => {
    hydrateRoot(
      container,
      <StrictMode>
        <Hydrated>
          <App data={data} i18n={i18n} queryClient={queryClient} request={null} />
        </Hydrated>
      </StrictMode>,
    )
  })
}

// Dialogs that were open before a reload are closed.
if (dialogsOfEntry() > 0) history.go(-dialogsOfEntry())

// Not a top-level await: the modules of pages import this one, and would wait for it.
const page = lazyPageOf(pageAt(location.pathname))
const messages = loadI18n(data.language)
const start = async () => hydrate(root, await messages)
const announcements = data.announcements.length > 0 ? AnnouncementList.load() : null
void Promise.all([page?.load(), announcements, loadSessionProvider(data.site.auth.kind)]).then(start, start)

if (import.meta.env.PROD && data.site.hasServiceWorker) {
  document.addEventListener(hydrationEvents.end, () => {
    void import('./browser/register-service-worker.ts').then((module) => module.registerServiceWorker())
  })
}
