import type { EngineKind } from './engines.ts'
import type { PostDetails, PostPage } from './posts.ts'

/** Sign-in method: local accounts, or Clerk. */
export type SignInSettings =
  | { readonly kind: 'local'; readonly signUp: 'open' | 'closed' }
  | { readonly kind: 'clerk'; readonly publishableKey: string }

/** Public settings of the site. No other setting reaches a browser. */
export interface SiteSettings {
  /** SITE_NAME, shown in the heading, the title and the logo. */
  readonly name: string
  readonly auth: SignInSettings
  /** `mailto:` or web address of the operator; null if not configured. */
  readonly contact: string | null
  /** Kind of the engines; null if there are several kinds. */
  readonly engine: EngineKind | null
  readonly dailyImageLimit: number
}

/** Data that the server renders into the page, and embeds as JSON for hydration. The same for every visitor. */
export interface PageData {
  readonly site: SiteSettings
  /** First page of the gallery, on `/` only; null on other pages, and if the query failed. */
  readonly gallery: {
    readonly search: string
    /** Start of the page; null for the newest post. */
    readonly cursor: string | null
    readonly firstPage: PostPage
  } | null
  /** The post of its page as every visitor sees it; null on other pages, and for a post that visitors can't see. */
  readonly post: { readonly details: PostDetails } | null
}

/** Returns the heading and title of the gallery. */
export function galleryHeading(site: SiteSettings): string {
  return `${site.name} — Text-to-Image AI Generator`
}
