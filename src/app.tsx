import './theme/tokens.css'
import './theme/fonts.css'
import './theme/base.css'
import './ui/kit.css'
import type { I18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { useLingui } from '@lingui/react/macro'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Router, useLocation, useRouter, type AroundNavHandler } from 'wouter'
import type { PageData } from '../shared/page-data.ts'
import { Announcements } from './announcements.tsx'
import { createApiClient } from './api/client.ts'
import { PageDataContext, useSite } from './api/site.tsx'
import { trpc } from './api/trpc.ts'
import { useDocumentTitle } from './api/use-title.ts'
import styles from './app.module.css'
import { pageHeading } from './browser/apis.ts'
import {
  afterTraversal,
  dialogsOfEntry,
  pageHooks,
  useCover,
  type PageLocation,
} from './browser/page-history.ts'
import { CreationProvider } from './features/create/creation-provider.tsx'
import { BottomBar } from './features/header/bottom-bar.tsx'
import { Header } from './features/header/header.tsx'
import { Footer } from './features/footer/footer.tsx'
import { PostOverlay } from './features/post/open-post.ts'
import { GalleryPage } from './features/gallery/gallery-page.tsx'
import { lazyPageNames, pageAt, titleOf, type LazyPageName } from './routes.ts'
import { Shortcuts } from './shortcuts.tsx'
import { SessionProvider } from './features/auth/session-provider.tsx'
import { Announcer } from './ui/announcer.tsx'
import { lazyPart, PageSpinner, type LazyPart } from './ui/loading.tsx'
import { SkipLink } from './ui/text.tsx'

/**
 * The whole site, the same tree on the server and in the browser.
 *
 * @param props.request the address of the document, which the first render in the browser repeats
 */
export function App(props: { data: PageData; i18n: I18n; queryClient: QueryClient; request: PageLocation }) {
  const [{ client, setTokens }] = useState(createApiClient)
  const { path, search } = props.request
  return (
    <I18nProvider i18n={props.i18n}>
      <trpc.Provider client={client} queryClient={props.queryClient}>
        <QueryClientProvider client={props.queryClient}>
          <PageDataContext value={props.data}>
            <Router {...pageHooks} ssrPath={path} ssrSearch={search} aroundNav={startAtTop}>
              <SessionProvider setTokens={setTokens}>
                <CreationProvider>
                  <Frame />
                  <Overlay />
                </CreationProvider>
              </SessionProvider>
              <Announcer />
            </Router>
          </PageDataContext>
        </QueryClientProvider>
      </trpc.Provider>
    </I18nProvider>
  )
}

const lazyPage = (name: LazyPageName) =>
  lazyPart(async () => (await import('./pages.tsx')).loadPage(name), <PageSpinner />)

/** The pages that are not in the entry. Neither is their list, which the gallery does without. */
export const lazyPages = Object.fromEntries(lazyPageNames.map((name) => [name, lazyPage(name)])) as Readonly<
  Record<LazyPageName, LazyPart<object>>
>

const Prefetch = lazyPart(async () => (await import('./prefetch.ts')).Prefetch)

/** Header, footer and the page between them. */
function Frame() {
  const { t } = useLingui()
  useFocusOnHeading()
  const page = pageAt(useLocation()[0])
  const Page = page === 'gallery' ? GalleryPage : lazyPages[page]
  // Alone on the screen.
  const isWall = page === 'wall'
  return (
    <>
      {/* First: a page that knows better sets another title afterwards. */}
      <DocumentTitle />
      {!isWall && (
        <>
          <SkipLink to="main">{t`Skip to the content`}</SkipLink>
          <Announcements />
          <Header />
        </>
      )}
      <main id="main" tabIndex={-1} className={styles['main']}>
        <Page key={page} />
      </main>
      {!isWall && (
        <>
          <Footer />
          <BottomBar />
        </>
      )}
      <Shortcuts />
      <Prefetch />
    </>
  )
}

/** The post over the page. Opening one loads it. */
function Overlay() {
  return useCover() !== null && <PostOverlay />
}

/** Sets the title of the page of the address. */
function DocumentTitle() {
  const router = useRouter()
  const { i18n } = useLingui()
  useDocumentTitle(titleOf(pageAt(useLocation()[0]), router.searchHook(router), useSite(), i18n))
  return null
}

/** Moves the reading position to the heading of a new page, as a browser does when it loads a document. */
function useFocusOnHeading(): void {
  const [path] = useLocation()
  const page = pageAt(path)
  // The sections of the administration are pages to users.
  const place = page === 'admin' ? path : page
  const shownPlace = useRef(place)
  useEffect(() => {
    if (shownPlace.current === place) return
    shownPlace.current = place
    return focusHeading()
  }, [place])
}

/**
 * Focuses the heading of the new page, which screen readers then announce: once it is there, unless the user has moved on. Returns a
 * function that ends the wait.
 */
function focusHeading(): (() => void) | undefined {
  const { activeElement } = document
  const heading = pageHeading()
  if (heading) {
    heading.focus({ preventScroll: true })
    return undefined
  }
  const observer = new MutationObserver(() => {
    const loaded = pageHeading()
    if (!loaded) return
    observer.disconnect()
    const { activeElement: focused } = document
    if (focused === activeElement || focused === document.body) loaded.focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** Scrolls to the top on navigation; Back and Forward keep the browser's own scroll positions. */
const startAtTop: AroundNavHandler = (navigate, to, options) =>
  afterTraversal(() => {
    // A page that a dialog leads to takes the place of the dialog.
    navigate(to, dialogsOfEntry() > 0 ? { ...options, replace: true } : options)
    if (!options?.replace) window.scrollTo(0, 0)
  })
