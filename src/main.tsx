import './theme/tokens.css'
import './theme/base.css'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { cachePageData, readPageData } from './api/page-data.ts'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { Hydrated, startHydration } from './browser/hydration.tsx'
import { loadSessionProvider } from './features/auth/session-provider.tsx'
import { lazyPageOf } from './pages.tsx'
import { pageAt } from './routes.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')

const data = readPageData()
const queryClient = createQueryClient()
cachePageData(queryClient, location.pathname, data)

function hydrate(container: HTMLElement) {
  startHydration()
  // In slices of milliseconds, so that the browser responds to input meanwhile.
  startTransition(() => {
    hydrateRoot(
      container,
      <StrictMode>
        <Hydrated>
          <App data={data} queryClient={queryClient} request={null} />
        </Hydrated>
      </StrictMode>,
    )
  })
}

// Not a top-level await: the modules of pages import this one, and would wait for it.
const page = lazyPageOf(pageAt(location.pathname))
const start = () => hydrate(root)
const { kind } = data.site.auth
if (page || kind !== 'local') void Promise.all([page?.load(), loadSessionProvider(kind)]).then(start, start)
else start()
