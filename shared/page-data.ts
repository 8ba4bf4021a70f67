import type { Announcement } from './announcements.ts'
import type { Collection, CollectionPage } from './collections.ts'
import type { EngineKind } from './engines.ts'
import type { ImageShape } from './image-files.ts'
import type { InvitationState } from './invitations.ts'
import type { LanguageOption } from './languages.ts'
import type { SignUpMode } from './site-options.ts'
import type { Post, Author, PostDetails, PostPage, TopPeriod } from './posts.ts'

/** Sign-in method: local accounts, or Clerk. */
export type SignInSettings = LocalSignInSettings | { readonly kind: 'clerk'; readonly publishableKey: string }

/** Ways to sign in with a local account. */
interface LocalSignInSettings {
  readonly kind: 'local'
  readonly signUp: SignUpMode
  /** True if users sign in with an email and a password; otherwise only at the provider. */
  readonly hasPasswords: boolean
  /** OpenID Connect provider; null: none. */
  readonly provider: { readonly name: string } | null
  /** Domain at which pages offer passkeys; null: nowhere. */
  readonly passkeyDomain: string | null
  /** True if the site sends mails, for example to reset a password. */
  readonly hasMail: boolean
}

/** Label of the embedded engine, which pages translate. */
export const embeddedEngineLabel = 'Patterns'

/** Public settings of the site. No other setting reaches a browser. */
export interface SiteSettings {
  /** Shown in the heading, the title and the logo. */
  readonly name: string
  /** Path of the logo; null for the mark of the software. */
  readonly logo: string | null
  /** Sentence below the heading of the gallery; null for the default. */
  readonly welcome: string | null
  /** Prompts to start from. */
  readonly examples: readonly string[]
  readonly auth: SignInSettings
  /** `mailto:` or web address of the operator; null if not configured. */
  readonly contact: string | null
  /** Kind of the default engine. */
  readonly engine: EngineKind
  /** Engines by which the gallery can be narrowed; none if there is only one. */
  readonly engines: readonly { readonly id: string; readonly label: string }[]
  /** Kinds of all engines. */
  readonly kinds: readonly EngineKind[]
  readonly dailyImageLimit: number
  /** Days after which images that are not shared move to the trash; null: never. */
  readonly unsharedImageDays: number | null
  readonly hasRules: boolean
  readonly languages: readonly LanguageOption[]
  /** True if pages register the service worker. */
  readonly hasServiceWorker: boolean
}

/** A page with a text: the operator's rules, or the description of the REST API. */
export interface TextPage {
  readonly title: string
  /** HTML that is safe to insert into a page. */
  readonly html: string
}

/** Order of a list of posts: newest first, or the most liked of a period first. */
export type ListOrder = 'new' | TopPeriod

/** How a list of posts is shown: as a grid of squares, or as rows of whole images. */
export type ListView = 'squares' | 'shapes'

/** Cookie with the chosen view, which the parameter of this name in the address of a list sets. */
export const viewCookie = 'view'

/** The list of posts that a URL names. */
export interface ListAddress {
  /** Id of the only author of the posts; null for everyone. */
  readonly authorId: string | null
  /** Id of the collection of the posts; null for all. */
  readonly collectionId: string | null
  /** Search term; '' without a search. */
  readonly search: string
  readonly order: ListOrder
  /** Start of the first page; null for the first post. */
  readonly cursor: string | null
  /** Shape and engine of the images; null for all. */
  readonly shape: ImageShape | null
  readonly engine: string | null
}

export interface ListData extends ListAddress {
  readonly firstPage: PostPage
}

export interface RelatedPosts {
  /** The post that its image is a remix of; null without one, and if that is not listed any more. */
  readonly parent: Post | null
  /** Its newest remixes. */
  readonly remixes: readonly Post[]
  /** Other posts of its author, newest first. */
  readonly moreByAuthor: readonly Post[]
  /** Those that go on from it, the first ones; none for a hidden post. */
  readonly similar: readonly Post[]
}

/** Data that the server renders into the page, and embeds as JSON for hydration. The same for every visitor of a language, but for a hidden post. */
export interface PageData {
  /** Language of the page, a BCP 47 tag. */
  readonly language: string
  readonly site: SiteSettings
  /** How lists of posts are shown in this browser. */
  readonly view: ListView
  /** First page of the gallery, of an author's posts or of a collection; null on other pages, and if the query failed. */
  readonly gallery: ListData | null
  /** The most frequent words of the posts; null on other pages than the gallery. */
  readonly words: readonly string[] | null
  /** The author of the posts on their page; null on other pages, and for one without posts. */
  readonly author: Author | null
  /** Collections of their page as every visitor sees them; null on other pages. */
  readonly collections: (CollectionPage & { readonly search: string; readonly cursor: string | null }) | null
  /** The collection of its page and its wall as every visitor sees it; null on other pages, and for other collections. */
  readonly collection: Collection | null
  /** The theme of the gallery; null without one. */
  readonly theme: Collection | null
  /** The post of its page as every visitor sees it, or a hidden one for its author or a moderator; null on other pages, and for other posts. */
  readonly post: ({ readonly details: PostDetails } & RelatedPosts) | null
  /** On the page of an invitation only; null on other pages, and if accounts are at a sign-in service. */
  readonly invitation: {
    /** `unknown` for a link that this site never gave out, or no longer knows. */
    readonly state: InvitationState | 'unknown'
    /** ISO 8601, UTC; null for an unknown one. */
    readonly expiresAt: string | null
  } | null
  /** On the page of the setup only; null on other pages, and if there is an administrator. */
  readonly setup: {
    readonly isNameFixed: boolean
    readonly isSignUpFixed: boolean
    /** The variable that configures the engines; null if none does. */
    readonly enginesVariable: string | null
  } | null
  /** HTML of the line in the gallery that leads to the setup; null if there is an administrator. */
  readonly setupLine: string | null
  /** The newest first. */
  readonly announcements: readonly Announcement[]
  /** On pages with a text only; null on other pages, and without rules. */
  readonly text: TextPage | null
}
