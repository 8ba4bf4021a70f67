import type { TextLimit } from './limits.ts'
import type { HiddenNotice } from './moderation.ts'
import type { Post, Visibility } from './posts.ts'

export const contributorKinds = ['owner', 'invited', 'members'] as const

/** Users who add posts to a collection: its owner alone, also those who joined by its invitation, or everyone signed in who sees it. */
export type Contributors = (typeof contributorKinds)[number]

export const titleLimit: TextLimit = { characters: 100, codeUnits: 400 }
export const descriptionLimit: TextLimit = { characters: 1_000, codeUnits: 4_000 }

export const collectionsMax = 500
export const postsOfCollectionMax = 10_000
export const contributorsMax = 1_000
/** Maximum number of posts of one call of `collections.addPosts` and `removePosts`. */
export const postsPerCallMax = 100

/** A collection of posts, as the caller sees it. */
export interface Collection {
  readonly id: string
  readonly title: string
  /** May be empty. */
  readonly description: string
  /** Users who see it: everyone, everyone with its link, or its owner and the users who joined it. */
  readonly visibility: Visibility
  readonly contributors: Contributors
  /** Number of its posts that the caller sees: the listed ones, and the caller's own. */
  readonly postCount: number
  /** The post that its owner chose or else the first one, of those that the caller sees; null without any. */
  readonly cover: Post | null
  readonly ownerId: string
  /** Name of the owner's newest listed post; null without any. */
  readonly ownerName: string | null
  readonly isOwner: boolean
  /** True if the caller may add posts. */
  readonly mayAdd: boolean
  /** True if a moderator has hidden it, so that only its owner and moderators see it. */
  readonly isHidden: boolean
  /** Why it is hidden, for its owner and moderators; only in the answers about one collection. */
  readonly hiddenNotice?: Omit<HiddenNotice, 'postId'>
  /** True if it has the post that was asked for, as the caller sees it. */
  readonly hasPost?: boolean | undefined
  /** True if it has an invitation; only its owner knows. */
  readonly hasInvitation: boolean
  /** Time until which it is the theme of the gallery, ISO 8601, UTC; null if it is not. */
  readonly featuredUntil: string | null
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** One page of a list of collections, newest first. */
export interface CollectionPage {
  readonly collections: readonly Collection[]
  /** Opaque cursor of the next page; null on the last one. */
  readonly nextCursor: string | null
}
