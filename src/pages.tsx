import { useLingui } from '@lingui/react/macro'
import { lazy, useEffect, useState, type ComponentType } from 'react'
import { clearLocalData } from './features/create/creation-context.tsx'
import type { PageName } from './routes.ts'
import { LazyPart, Spinner } from './ui/loading.tsx'

/** A page whose module is loaded on demand. Once it has loaded, the page renders synchronously, as hydration requires. */
export interface LazyPage {
  readonly load: () => Promise<unknown>
  readonly Page: ComponentType
}

/** Splits a page out of the entry. */
function preloadable(importPage: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | null = null
  const load = async () => (Loaded ??= await importPage())
  const Later = lazy(async () => ({ default: await load() }))

  function Page() {
    const { t } = useLingui()
    // Switching between the two would mount the page again.
    const [Known] = useState(() => Loaded)
    if (Known) return <Known />
    return (
      <LazyPart fallback={<Spinner label={t`Loading the page`} size="large" />}>
        <Later />
        <FocusedHeading />
      </LazyPart>
    )
  }
  return { load, Page }
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

/** The pages that are not in the entry. @see page-sources.ts */
export const lazyPages = {
  create: preloadable(() => import('./features/create/create-page.tsx').then(({ CreatePage }) => CreatePage)),
  account: preloadable(() =>
    import('./features/account/account-page.tsx').then(({ AccountPage }) => () => (
      <AccountPage onDeleted={clearLocalData} />
    )),
  ),
  moderation: preloadable(() =>
    import('./features/moderation/moderation-page.tsx').then(({ ModerationPage }) => ModerationPage),
  ),
  admin: preloadable(() => import('./features/admin/admin-page.tsx').then(({ AdminPage }) => AdminPage)),
  post: preloadable(() => import('./features/post/post-page.tsx').then(({ PostPage }) => PostPage)),
  yourImages: preloadable(() =>
    import('./features/create/your-images/your-images-page.tsx').then(({ YourImagesPage }) => YourImagesPage),
  ),
  author: preloadable(() =>
    import('./features/gallery/author-page.tsx').then(({ AuthorPage }) => AuthorPage),
  ),
  about: preloadable(() => import('./features/about/about-page.tsx').then(({ AboutPage }) => AboutPage)),
  rules: preloadable(() => import('./features/rules/rules-page.tsx').then(({ RulesPage }) => RulesPage)),
  invitation: preloadable(() =>
    import('./features/invitation/invitation-page.tsx').then(({ InvitationPage }) => InvitationPage),
  ),
  resetPassword: preloadable(() =>
    import('./features/mailed-links/mailed-links-pages.tsx').then(
      ({ ResetPasswordPage }) => ResetPasswordPage,
    ),
  ),
  verifyEmail: preloadable(() =>
    import('./features/mailed-links/mailed-links-pages.tsx').then(({ VerifyEmailPage }) => VerifyEmailPage),
  ),
  reference: preloadable(() =>
    import('./features/reference/reference-page.tsx').then(({ ReferencePage }) => ReferencePage),
  ),
  notFound: preloadable(() => import('./ui/not-found-page.tsx').then(({ NotFoundPage }) => NotFoundPage)),
} satisfies Partial<Record<PageName, LazyPage>>

/** Returns the page of a name if it is loaded on demand. */
export function lazyPageOf(name: PageName): LazyPage | undefined {
  return (lazyPages as Partial<Record<PageName, LazyPage>>)[name]
}
