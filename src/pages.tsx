import { useLingui } from '@lingui/react/macro'
import { lazy, useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { clearDrafts } from './features/create/clear-drafts.ts'
import { clearDailyCount } from './features/create/use-daily-count.ts'
import type { PageName } from './routes.ts'
import { LazyPart, Spinner } from './ui/loading.tsx'

/** A page whose module is loaded on demand. Once it has loaded, the page renders synchronously, as hydration requires. */
export interface LazyPage {
  /** Path of the module in the repository, which the server looks up in the build. */
  readonly source: string
  readonly load: () => Promise<unknown>
  readonly Page: ComponentType
}

/** Splits a page out of the entry. */
function preloadable(source: string, importPage: () => Promise<ComponentType>): LazyPage {
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
  return { source, load, Page }
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

/** The pages that are not in the entry. */
export const lazyPages = {
  create: preloadable('src/features/create/create-page.tsx', () =>
    import('./features/create/create-page.tsx').then(({ CreatePage }) => CreatePage),
  ),
  account: preloadable('src/features/account/account-page.tsx', () =>
    import('./features/account/account-page.tsx').then(({ AccountPage }) => () => (
      <AccountPage onDeleted={clearLocalData} />
    )),
  ),
  moderation: preloadable('src/features/moderation/moderation-page.tsx', () =>
    import('./features/moderation/moderation-page.tsx').then(({ ModerationPage }) => ModerationPage),
  ),
  admin: preloadable('src/features/admin/admin-page.tsx', () =>
    import('./features/admin/admin-page.tsx').then(({ AdminPage }) => AdminPage),
  ),
  post: preloadable('src/features/post/post-page.tsx', () =>
    import('./features/post/post-page.tsx').then(({ PostPage }) => PostPage),
  ),
  yourImages: preloadable('src/features/create/your-images/your-images-page.tsx', () =>
    import('./features/create/your-images/your-images-page.tsx').then(({ YourImagesPage }) => YourImagesPage),
  ),
  author: preloadable('src/features/gallery/author-page.tsx', () =>
    import('./features/gallery/author-page.tsx').then(({ AuthorPage }) => AuthorPage),
  ),
  about: preloadable('src/features/about/about-page.tsx', () =>
    import('./features/about/about-page.tsx').then(({ AboutPage }) => AboutPage),
  ),
  rules: preloadable('src/features/rules/rules-page.tsx', () =>
    import('./features/rules/rules-page.tsx').then(({ RulesPage }) => RulesPage),
  ),
  invitation: preloadable('src/features/invitation/invitation-page.tsx', () =>
    import('./features/invitation/invitation-page.tsx').then(({ InvitationPage }) => InvitationPage),
  ),
  resetPassword: preloadable('src/features/mailed-links/reset-password-page.tsx', () =>
    import('./features/mailed-links/reset-password-page.tsx').then(
      ({ ResetPasswordPage }) => ResetPasswordPage,
    ),
  ),
  verifyEmail: preloadable('src/features/mailed-links/verify-email-page.tsx', () =>
    import('./features/mailed-links/verify-email-page.tsx').then(({ VerifyEmailPage }) => VerifyEmailPage),
  ),
} satisfies Partial<Record<PageName, LazyPage>>

/** Removes what the browser stores for a user whose account was deleted. */
function clearLocalData(): void {
  clearDrafts()
  clearDailyCount()
}

/** Returns the page of a name if it is loaded on demand. */
export function lazyPageOf(name: PageName): LazyPage | undefined {
  return (lazyPages as Partial<Record<PageName, LazyPage>>)[name]
}
