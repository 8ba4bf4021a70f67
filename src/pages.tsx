import { useLingui } from '@lingui/react/macro'
import { useEffect, useState, type ComponentType } from 'react'
import { clearLocalData } from './features/create/creation-context.tsx'
import type { PageName } from './routes.ts'
import { lazyPart, Spinner } from './ui/loading.tsx'

/** A page whose module is loaded on demand. Once it has loaded, the page renders synchronously, as hydration requires. */
export interface LazyPage {
  readonly load: () => Promise<unknown>
  readonly Page: ComponentType
}

/** Splits a page out of the entry. */
function preloadable(importPage: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | null = null
  const load = async () => (Loaded ??= await importPage())
  const Later = lazyPart(
    async () => {
      const Content = await load()
      return () => (
        <>
          <Content />
          <FocusedHeading />
        </>
      )
    },
    <PageSpinner />,
  )

  function Page() {
    // Switching between the two would mount the page again.
    const [Known] = useState(() => Loaded ?? Later)
    return <Known />
  }
  return { load, Page }
}

function PageSpinner() {
  const { t } = useLingui()
  return <Spinner label={t`Loading the page`} size="large" />
}

/** Moves the focus to the heading of a page that has loaded after the navigation to it. */
function FocusedHeading() {
  useEffect(() => {
    // The dialog that was opened with the navigation keeps it.
    if (document.querySelector('[role="dialog"]')) return
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [])
  return null
}

const textPage = preloadable(async () => (await import('./features/text/text-page.tsx')).TextPage)

/** The pages that are not in the entry. @see page-sources.ts */
export const lazyPages = {
  create: preloadable(async () => (await import('./features/create/create-page.tsx')).CreatePage),
  account: preloadable(() =>
    import('./features/account/account-page.tsx').then(({ AccountPage }) => () => (
      <AccountPage onDeleted={clearLocalData} />
    )),
  ),
  moderation: preloadable(
    async () => (await import('./features/moderation/moderation-page.tsx')).ModerationPage,
  ),
  admin: preloadable(async () => (await import('./features/admin/admin-page.tsx')).AdminPage),
  post: preloadable(async () => (await import('./features/post/post-page.tsx')).PostPage),
  yourImages: preloadable(
    async () => (await import('./features/create/your-images/your-images-page.tsx')).YourImagesPage,
  ),
  author: preloadable(async () => (await import('./features/gallery/author-page.tsx')).AuthorPage),
  about: preloadable(async () => (await import('./features/about/about-page.tsx')).AboutPage),
  rules: textPage,
  invitation: preloadable(
    async () => (await import('./features/invitation/invitation-page.tsx')).InvitationPage,
  ),
  resetPassword: preloadable(
    async () => (await import('./features/mailed-links/mailed-links-pages.tsx')).ResetPasswordPage,
  ),
  verifyEmail: preloadable(
    async () => (await import('./features/mailed-links/mailed-links-pages.tsx')).VerifyEmailPage,
  ),
  reference: textPage,
  notFound: preloadable(async () => (await import('./ui/not-found-page.tsx')).NotFoundPage),
} satisfies Partial<Record<PageName, LazyPage>>

/** Returns the page of a name if it is loaded on demand. */
export function lazyPageOf(name: PageName): LazyPage | undefined {
  return (lazyPages as Partial<Record<PageName, LazyPage>>)[name]
}
