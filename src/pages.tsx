import type { ComponentType } from 'react'
import { withOtherMessages } from './i18n/messages.ts'
import { lazyPageNames, type LazyPageName } from './routes.ts'

/** The modules of pages. That of the gallery is in the entry. */
const modules = import.meta.glob<Readonly<Record<string, ComponentType>>>([
  './features/**/*-{page,pages}.tsx',
  '!./features/gallery/gallery-page.tsx',
])

/** The module of each page, and its component. The server loads all of them when it starts. */
const pages = {
  create: ['create/create-page', 'CreatePage'],
  account: ['account/account-page', 'AccountPage'],
  // The address of the reports in mails.
  moderation: ['admin/admin-page', 'AdminPage'],
  admin: ['admin/admin-page', 'AdminPage'],
  post: ['post/post-page', 'PostPage'],
  yourImages: ['create/your-images/your-images-page', 'YourImagesPage'],
  collections: ['collections/collections-page', 'CollectionsPage'],
  collection: ['gallery/collection-page', 'CollectionPage'],
  joinCollection: ['collections/join-page', 'JoinPage'],
  wall: ['collections/wall-page', 'WallPage'],
  author: ['gallery/author-page', 'AuthorPage'],
  notifications: ['notifications/notifications-page', 'NotificationsPage'],
  about: ['about/about-page', 'AboutPage'],
  verify: ['verify/verify-page', 'VerifyPage'],
  rules: ['text/text-page', 'TextPage'],
  invitation: ['invitation/invitation-page', 'InvitationPage'],
  resetPassword: ['mailed-links/mailed-links-pages', 'ResetPasswordPage'],
  verifyEmail: ['mailed-links/mailed-links-pages', 'VerifyEmailPage'],
  setup: ['setup/setup-page', 'SetupPage'],
  consent: ['account/consent-page', 'ConsentPage'],
  reference: ['text/text-page', 'TextPage'],
  notFound: ['not-found/not-found-page', 'NotFoundPage'],
} as const satisfies Readonly<Record<LazyPageName, readonly [module: string, component: string]>>

const pagesWithoutOthers = new Set<LazyPageName>(['post', 'author', 'rules', 'reference', 'notFound'])

/** Checks whether a page has messages that are loaded with it. @see server/launch/messages.mjs */
export function hasOtherMessages(page: LazyPageName): boolean {
  return !pagesWithoutOthers.has(page)
}

export async function loadPage(page: LazyPageName): Promise<ComponentType> {
  const [name, component] = pages[page]
  const loading = modules[`./features/${name}.tsx`]?.()
  const loaded = await (loading && hasOtherMessages(page) ? withOtherMessages(loading) : loading)
  const Page = loaded?.[component]
  if (!Page) throw new Error(`${name}.tsx has no ${component}`)
  return Page
}

/** Returns the path in the repository of the module of a page, which the server looks up in the build. */
export function pageSource(page: LazyPageName): string {
  return `src/features/${pages[page][0]}.tsx`
}

export const pagesSource = 'src/pages.tsx'

/** The paths of this module and of those of all pages. */
export const pageSources: readonly string[] = [pagesSource, ...lazyPageNames.map(pageSource)]
