import type { SiteSettings } from '../../shared/page-data.ts'
import { termIn } from '../gallery/gallery-address.ts'

/** What a document says of itself, outside its body. */
export interface PageMeta {
  readonly title: string
  readonly description: string
  readonly status: 200 | 404
}

export type PageName = 'gallery' | 'create' | 'account' | 'moderation' | 'not-found'

/** Which page stands at a path. */
export function pageAt(path: string): PageName {
  switch (path) {
    case '/':
      return 'gallery'
    case '/create-post':
    case '/create-post/':
      return 'create'
    case '/account':
    case '/account/':
      return 'account'
    case '/moderation':
    case '/moderation/':
      return 'moderation'
    default:
      return 'not-found'
  }
}

/** The gallery's heading, and its title. */
export function galleryHeading(site: SiteSettings): string {
  return `${site.name} — Text-to-Image AI Generator`
}

/** Describes the document at an address; `query` with or without its question mark. */
export function describePage(page: PageName, query: string, site: SiteSettings): PageMeta {
  switch (page) {
    case 'gallery': {
      const term = termIn(query)
      return {
        title: term ? `Results for ${term} — ${site.name}` : galleryHeading(site),
        description: `A gallery of pictures that people made from words with ${site.name}. Browse, search and make your own.`,
        status: 200,
      }
    }
    case 'create':
      return {
        title: `Make a picture — ${site.name}`,
        description: `Describe a scene, see it as a picture, and share it in the gallery of ${site.name}.`,
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
        description: `What visitors of ${site.name} reported, for its administrators.`,
        status: 200,
      }
    case 'not-found':
      return {
        title: `Page not found — ${site.name}`,
        description: `There is nothing at this address of ${site.name}.`,
        status: 404,
      }
  }
}
