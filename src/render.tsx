import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { PageData } from '../shared/page-data.ts'
import { cachePageData } from './api/page-data.ts'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import type { PageRequest } from './app.tsx'
import { loadSessionProvider } from './features/auth/session-provider.tsx'
import { describePage } from './page-meta.ts'
import type { PageMeta } from './page-meta.ts'
import { lazyPages } from './pages.tsx'

// Rendering is synchronous.
await Promise.all([loadSessionProvider('clerk'), ...Object.values(lazyPages).map(({ load }) => load())])

/** A rendered page and the metadata of its document. */
export interface RenderedPage extends PageMeta {
  /** Content of `#root`. */
  readonly html: string
}

/** Renders a page to HTML on the server. */
export function render(request: PageRequest, data: PageData): RenderedPage {
  const queryClient = createQueryClient()
  cachePageData(queryClient, request.path, data)
  const html = renderToString(
    <StrictMode>
      <App data={data} queryClient={queryClient} request={request} />
    </StrictMode>,
  )
  return { html, ...describePage(request.path, request.query, data) }
}
