import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Router, useLocation } from 'wouter'
import type { AroundNavHandler } from 'wouter'
import type { PageData } from '../shared/page-data.ts'
import { createApiClient } from './api/client.ts'
import { ApiProviders } from './api/providers.tsx'
import { SessionTokens } from './api/session-tokens.ts'
import styles from './app.module.css'
import { CreationKeeper } from './create/creation-context.tsx'
import { DailyCountMirror } from './create/use-daily-count.ts'
import { Header } from './header/header.tsx'
import { AccountPage } from './pages/account-page.tsx'
import { CreatePage } from './pages/create-page.tsx'
import { Footer } from './pages/footer.tsx'
import { GalleryPage } from './pages/gallery-page.tsx'
import { ModerationPage } from './pages/moderation-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { pageAt } from './pages/page-meta.ts'
import { usePageChange } from './pages/use-page-change.ts'
import { SessionProvider } from './session/session-provider.tsx'
import { Announcer } from './ui/announcer.tsx'

const pages = {
  gallery: GalleryPage,
  create: CreatePage,
  account: AccountPage,
  moderation: ModerationPage,
  'not-found': NotFoundPage,
}

/** Where a page is rendered for; the browser has its own address. */
export interface PageRequest {
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

/** The whole site: the same tree on the server, which gives the request, and in the browser, which gives null. */
export function App(props: { data: PageData; queryClient: QueryClient; request: PageRequest | null }) {
  const [tokens] = useState(() => new SessionTokens())
  const [client] = useState(() => createApiClient(tokens))
  const { request } = props
  return (
    <ApiProviders client={client} queryClient={props.queryClient} site={props.data.site}>
      <Router aroundNav={startAtTop} {...(request && { ssrPath: request.path, ssrSearch: request.query })}>
        <Announcer>
          <SessionProvider tokens={tokens}>
            <CreationKeeper>
              <Frame />
            </CreationKeeper>
          </SessionProvider>
        </Announcer>
      </Router>
    </ApiProviders>
  )
}

/** What stands around every page. */
function Frame() {
  const [path] = useLocation()
  const page = pageAt(path)
  const Page = pages[page]
  usePageChange(page)
  return (
    <>
      <a href="#main" className={styles['skip']}>
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1} className={styles['main']}>
        <Page />
      </main>
      <Footer />
      <DailyCountMirror />
    </>
  )
}

/** A new step in history starts at the top of its page; Back and Forward keep the browser's own places. */
const startAtTop: AroundNavHandler = (navigate, to, options) => {
  navigate(to, options)
  if (!options?.replace) window.scrollTo(0, 0)
}
