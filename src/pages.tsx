import type { ComponentType } from 'react'
import { Route } from 'wouter'
import { pagePaths } from '../shared/routes.ts'
import { withOtherMessages } from './i18n/messages.ts'
import type { PageName } from './routes.ts'
import { lazyPart, PageSpinner, type LazyPart } from './ui/loading.tsx'

type PagePart = LazyPart<object> & { readonly hasOtherMessages?: boolean }

/** Splits a page out of the entry. */
function lazyPage(importPage: () => Promise<ComponentType>): PagePart {
  return lazyPart(importPage, <PageSpinner />)
}

/** A page with messages that are loaded with it. @see server/launch/messages.mjs */
function otherPage(importPage: () => Promise<ComponentType>): PagePart {
  const page = lazyPage(() => withOtherMessages(importPage()))
  return Object.assign(page, { hasOtherMessages: true })
}

const adminPage = otherPage(async () => (await import('./features/admin/admin-page.tsx')).AdminPage)
const textPage = lazyPage(async () => (await import('./features/text/text-page.tsx')).TextPage)

/** The pages that are not in the entry. Neither is this list, which the gallery does without. */
export const lazyPages = {
  create: otherPage(async () => (await import('./features/create/create-page.tsx')).CreatePage),
  account: otherPage(async () => (await import('./features/account/account-page.tsx')).AccountPage),
  // The address of the reports in mails.
  moderation: adminPage,
  admin: adminPage,
  post: lazyPage(async () => (await import('./features/post/post-page.tsx')).PostPage),
  yourImages: otherPage(
    async () => (await import('./features/create/your-images/your-images-page.tsx')).YourImagesPage,
  ),
  collections: otherPage(
    async () => (await import('./features/collections/collections-page.tsx')).CollectionsPage,
  ),
  collection: otherPage(async () => (await import('./features/gallery/collection-page.tsx')).CollectionPage),
  joinCollection: otherPage(async () => (await import('./features/collections/join-page.tsx')).JoinPage),
  wall: otherPage(async () => (await import('./features/collections/wall-page.tsx')).WallPage),
  author: lazyPage(async () => (await import('./features/gallery/author-page.tsx')).AuthorPage),
  notifications: otherPage(
    async () => (await import('./features/notifications/notifications-page.tsx')).NotificationsPage,
  ),
  about: otherPage(async () => (await import('./features/about/about-page.tsx')).AboutPage),
  verify: otherPage(async () => (await import('./features/verify/verify-page.tsx')).VerifyPage),
  rules: textPage,
  invitation: otherPage(
    async () => (await import('./features/invitation/invitation-page.tsx')).InvitationPage,
  ),
  resetPassword: otherPage(
    async () => (await import('./features/mailed-links/mailed-links-pages.tsx')).ResetPasswordPage,
  ),
  verifyEmail: otherPage(
    async () => (await import('./features/mailed-links/mailed-links-pages.tsx')).VerifyEmailPage,
  ),
  setup: otherPage(async () => (await import('./features/setup/setup-page.tsx')).SetupPage),
  consent: otherPage(async () => (await import('./features/account/consent-page.tsx')).ConsentPage),
  reference: textPage,
  notFound: lazyPage(async () => (await import('./features/not-found/not-found-page.tsx')).NotFoundPage),
} satisfies Record<Exclude<PageName, 'gallery'>, PagePart>

/** A page, with the parameter of the current address. */
export function LazyPage({ name }: { name: keyof typeof lazyPages }) {
  return <Route path={name === 'notFound' ? '*' : pagePaths[name]} component={lazyPages[name]} />
}

/** Paths of this module and of theirs in the repository, which the server looks up in the build. Not in the client. */
export const pagesSource = 'src/pages.tsx'
export const pageSources: Readonly<Record<keyof typeof lazyPages, string>> = {
  create: 'src/features/create/create-page.tsx',
  account: 'src/features/account/account-page.tsx',
  moderation: 'src/features/admin/admin-page.tsx',
  admin: 'src/features/admin/admin-page.tsx',
  post: 'src/features/post/post-page.tsx',
  yourImages: 'src/features/create/your-images/your-images-page.tsx',
  collections: 'src/features/collections/collections-page.tsx',
  collection: 'src/features/gallery/collection-page.tsx',
  joinCollection: 'src/features/collections/join-page.tsx',
  wall: 'src/features/collections/wall-page.tsx',
  author: 'src/features/gallery/author-page.tsx',
  notifications: 'src/features/notifications/notifications-page.tsx',
  about: 'src/features/about/about-page.tsx',
  verify: 'src/features/verify/verify-page.tsx',
  rules: 'src/features/text/text-page.tsx',
  invitation: 'src/features/invitation/invitation-page.tsx',
  resetPassword: 'src/features/mailed-links/mailed-links-pages.tsx',
  verifyEmail: 'src/features/mailed-links/mailed-links-pages.tsx',
  setup: 'src/features/setup/setup-page.tsx',
  consent: 'src/features/account/consent-page.tsx',
  reference: 'src/features/text/text-page.tsx',
  notFound: 'src/features/not-found/not-found-page.tsx',
}
