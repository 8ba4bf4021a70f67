import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { SiteSettings } from '../shared/page-data.ts'
import { matchPath, pagePaths } from '../shared/routes.ts'
import { listAddressIn } from './api/list-address.ts'
import { galleryHeading } from './features/gallery/gallery-heading.ts'

export type PageName = keyof typeof pagePaths | 'notFound'

/** Pages that are not in the entry. */
export type LazyPageName = Exclude<PageName, 'gallery'>

const pageNames = Object.keys(pagePaths) as (keyof typeof pagePaths)[]

export const lazyPageNames: readonly LazyPageName[] = [
  ...pageNames.filter((name) => name !== 'gallery'),
  'notFound',
]

/** Returns the page at a path, with or without a trailing slash, as wouter matches it. */
export function pageAt(path: string): PageName {
  return pageNames.find((name) => matchPath(pagePaths[name], path) !== null) ?? 'notFound'
}

/**
 * Returns the title of a page's document; null for a page that sets it itself, once it knows what it shows.
 *
 * @param query the query string, with or without its question mark
 */
export function titleOf(page: PageName, query: string, site: SiteSettings, i18n: I18n): string | null {
  const { name: siteName } = site
  if (page === 'about') return i18n._(msg`About ${siteName}`)
  const { search: term } = listAddressIn(pagePaths.gallery, query)
  if (page === 'gallery' && !term) return galleryHeading(site, i18n)
  const title = page === 'gallery' ? msg`Results for ${term}` : titles[page]
  return title && `${i18n._(title)} — ${siteName}`
}

const titles = {
  create: msg`Make an image`,
  account: msg`Your account`,
  moderation: null,
  admin: null,
  yourImages: msg`Your images`,
  notifications: msg`Notifications`,
  collections: msg`Collections`,
  collection: null,
  joinCollection: msg`Invitation`,
  wall: null,
  verify: msg`Check an image`,
  rules: msg`Rules`,
  reference: msg`REST API`,
  invitation: msg`Invitation`,
  resetPassword: msg`Choose a new password`,
  verifyEmail: msg`Confirm your email`,
  setup: msg`Set up this site`,
  consent: msg`Connect a program`,
  post: null,
  author: null,
  notFound: msg`Page not found`,
}
