import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { PageData } from '../shared/page-data.ts'
import { cacheFirstPage } from './api/post-lists.ts'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import type { PageRequest } from './app.tsx'
import { describePage, pageAt } from './routes.ts'
import type { PageMeta } from './routes.ts'

/** A rendered page and the metadata of its document. */
export interface RenderedPage extends PageMeta {
  /** Content of `#root`. */
  readonly html: string
}

/** Renders a page to HTML on the server. */
export function render(request: PageRequest, data: PageData): RenderedPage {
  const queryClient = createQueryClient()
  if (data.gallery) cacheFirstPage(queryClient, data.gallery)
  const html = renderToString(
    <StrictMode>
      <App data={data} queryClient={queryClient} request={request} />
    </StrictMode>,
  )
  return { html, ...describePage(pageAt(request.path), request.query, data.site) }
}
