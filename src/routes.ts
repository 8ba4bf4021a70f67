import { galleryHeading } from '../shared/page-data.ts'
import type { SiteSettings } from '../shared/page-data.ts'
import { matchPath, pagePaths } from '../shared/routes.ts'
import { listAddressIn } from './api/list-address.ts'

export type PageName = keyof typeof pagePaths | 'notFound'

const pageNames = Object.keys(pagePaths) as (keyof typeof pagePaths)[]

/** Returns the page at a path, with or without a trailing slash, as wouter's `Route` matches it. */
export function pageAt(path: string): PageName {
  return pageNames.find((name) => matchPath(pagePaths[name], path) !== null) ?? 'notFound'
}

/**
 * Returns the title of a page's document; null for a page that sets it itself, once it knows what it shows.
 *
 * @param query the query string, with or without its question mark
 */
export function titleOf(page: PageName, query: string, site: SiteSettings): string | null {
  switch (page) {
    case 'gallery': {
      const { search: term } = listAddressIn(pagePaths.gallery, query)
      return term ? `Results for ${term} — ${site.name}` : galleryHeading(site)
    }
    case 'create':
      return `Make an image — ${site.name}`
    case 'account':
      return `Your account — ${site.name}`
    case 'moderation':
      return `Reports — ${site.name}`
    case 'yourImages':
      return `Your images — ${site.name}`
    case 'about':
      return `About ${site.name}`
    case 'rules':
      return `Rules — ${site.name}`
    case 'post':
    case 'author':
      return null
    case 'notFound':
      return `Page not found — ${site.name}`
  }
}
