import type { PostPage } from './posts.ts'

/** How users sign in: with accounts of the server's own, or at Clerk. */
export type SignInSettings =
  | { readonly kind: 'local'; readonly signUp: 'open' | 'closed' }
  | { readonly kind: 'clerk'; readonly publishableKey: string }

/** What the client needs to know of the server's settings; nothing else of them reaches a browser. */
export interface SiteSettings {
  /** SITE_NAME: the heading, the title, the logo's text. */
  readonly name: string
  readonly auth: SignInSettings
  /** A mailto or web address to reach whoever runs the site; null where none is given. */
  readonly contact: string | null
  readonly engine: 'rangoli' | 'openai'
  readonly dailyImageLimit: number
}

/** What the server hands to the page, in HTML and as JSON for hydration. The same for every visitor. */
export interface PageData {
  readonly site: SiteSettings
  /** The first page of the gallery, on `/` only; null elsewhere and where the search failed. */
  readonly gallery: {
    readonly search: string
    /** Where that page begins; null at the newest post. */
    readonly cursor: string | null
    readonly firstPage: PostPage
  } | null
}

/** Heading and title of the gallery. */
export function galleryHeading(site: SiteSettings): string {
  return `${site.name} — Text-to-Image AI Generator`
}
