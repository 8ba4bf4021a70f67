import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { readPageData } from './api/page-data.ts'
import { cacheFirstPage } from './api/post-lists.ts'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { Hydrated, startHydration } from './browser/hydration.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')

const data = readPageData()
const queryClient = createQueryClient()
if (data.gallery) cacheFirstPage(queryClient, data.gallery)

startHydration()
hydrateRoot(
  root,
  <StrictMode>
    <Hydrated>
      <App data={data} queryClient={queryClient} request={null} />
    </Hydrated>
  </StrictMode>,
)
