// First: its styles precede those of components.
import { App, lazyPages } from './app.tsx'
import { startTransition, StrictMode, useEffect, type ReactNode } from 'react'
import { serviceWorkerPath } from '../shared/service-worker.ts'
import { AnnouncementList } from './announcements.tsx'
import { cachePageData, readPageData } from './api/page-data.ts'
import { createQueryClient } from './api/query-client.ts'
import { hydrateRoot } from './browser/hydrate-root.ts'
import { endHydration } from './browser/hydration.ts'
import { loadSessionProvider } from './features/auth/session-provider.tsx'
import { EmptyGallery } from './features/gallery/results.tsx'
import { loadDocumentI18n } from './i18n/messages.ts'
import { pageAt } from './routes.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')

/** Address of the document. Back and Forward may have left it before this script runs. */
const start = new URL(performance.getEntriesByType('navigation')[0]?.name ?? location.href)
const request = { path: start.pathname, search: start.search }
const page = pageAt(request.path)
const data = readPageData()
const queryClient = createQueryClient()
cachePageData(queryClient, request.path, data)

function Hydrated({ children }: { children: ReactNode }) {
  useEffect(() => {
    endHydration()
    if (!import.meta.env.PROD || !data.site.hasServiceWorker) return
    // Missing without HTTPS.
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
    workers
      ?.register(serviceWorkerPath)
      .catch((error: unknown) => console.info('The service worker could not be registered.', error))
  }, [])
  return children
}

async function hydrate(container: HTMLElement): Promise<void> {
  const [, i18n] = await Promise.all([
    // What could not be loaded says so in its place.
    Promise.allSettled([
      page !== 'gallery' && lazyPages[page].load(),
      data.announcements.length > 0 && AnnouncementList.load(),
      data.gallery?.firstPage.posts.length === 0 && EmptyGallery.load(),
      data.post?.details.hidden &&
        import('./features/post/post-view.tsx').then(({ HiddenPost }) => HiddenPost.load()),
      loadSessionProvider(data.site.auth.kind),
    ]),
    loadDocumentI18n(data.language),
  ])
  // In slices of milliseconds, so that the browser responds to input meanwhile.
  startTransition(() => {
    hydrateRoot(
      container,
      <StrictMode>
        <Hydrated>
          <App data={data} i18n={i18n} queryClient={queryClient} request={request} />
        </Hydrated>
      </StrictMode>,
    )
  })
}

// Not a top-level await: the modules of pages may import this one, and would wait for it.
void hydrate(root)
