import { galleryHeading } from '../shared/page-data.ts'
import type { SiteSettings } from '../shared/page-data.ts'
import { pagePaths } from '../shared/routes.ts'
import { termIn } from './features/gallery/gallery-address.ts'

/** Title, description and status of a page's document. */
export interface PageMeta {
  readonly title: string
  readonly description: string
  readonly status: 200 | 404
}

export type PageName = keyof typeof pagePaths | 'notFound'

const pageNames = Object.keys(pagePaths) as (keyof typeof pagePaths)[]

/** Returns the page at a path, with or without a trailing slash, as wouter's `Route` matches it. */
export function pageAt(path: string): PageName {
  const plainPath = path === '/' ? path : path.replace(/\/$/, '')
  return pageNames.find((name) => pagePaths[name] === plainPath) ?? 'notFound'
}

/**
 * Describes a page's document.
 *
 * @param query the query string, with or without its question mark
 */
export function describePage(page: PageName, query: string, site: SiteSettings): PageMeta {
  switch (page) {
    case 'gallery': {
      const term = termIn(query)
      return {
        title: term ? `Results for ${term} — ${site.name}` : galleryHeading(site),
        description: `A gallery of images that users made from text prompts with ${site.name}. Browse, search and make your own.`,
        status: 200,
      }
    }
    case 'create':
      return {
        title: `Make an image — ${site.name}`,
        description: `Describe a scene, see it as an image, and share it in the gallery of ${site.name}.`,
        status: 200,
      }
    case 'account':
      return {
        title: `Your account — ${site.name}`,
        description: `Your name, your password and your data on ${site.name}.`,
        status: 200,
      }
    case 'moderation':
      return {
        title: `Reports — ${site.name}`,
        description: `Reported posts of ${site.name}, for its administrators.`,
        status: 200,
      }
    case 'notFound':
      return {
        title: `Page not found — ${site.name}`,
        description: `This page of ${site.name} does not exist.`,
        status: 404,
      }
  }
}
