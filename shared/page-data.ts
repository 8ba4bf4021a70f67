import type { PostPage } from './posts.ts'

/** What the client needs to know of the server's settings; nothing else of them reaches a browser. */
export interface SiteSettings {
  /** SITE_NAME: the heading, the title, the logo's text. */
  readonly name: string
  readonly auth: 'local'
  readonly signUp: 'open' | 'closed'
  readonly engine: 'rangoli' | 'openai'
  readonly dailyImageLimit: number
}

/** What the server hands to the page, in HTML and as JSON for hydration. The same for every visitor. */
export interface PageData {
  readonly site: SiteSettings
  /** The first page of the gallery, on `/` only; null elsewhere and where the search failed. */
  readonly gallery: { readonly search: string; readonly firstPage: PostPage } | null
}
