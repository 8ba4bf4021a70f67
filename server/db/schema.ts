import type { Generated } from 'kysely'
import type { ErrorCode } from '../../shared/errors.ts'
import type { ImageState } from '../../shared/images.ts'
import type { ModerationAction, ReportReason } from '../../shared/moderation.ts'
import type { ImageSource } from '../../shared/posts.ts'

/**
 * The tables that our own queries use, as the migrations leave them. Times are milliseconds since 1970,
 * days are 'YYYY-MM-DD' in UTC. The accounts' tables belong to better-auth.
 */
export interface Schema {
  images: ImagesTable
  posts: PostsTable
  posts_trigrams: PostIndexTable
  posts_grams: PostIndexTable
  gallery: GalleryTable
  daily_usage: DailyUsageTable
  site_usage: SiteUsageTable
  reports: ReportsTable
  moderation_log: ModerationLogTable
  personal_tokens: PersonalTokensTable
  token_bars: TokenBarsTable
  site: SiteTable
}

export interface ImagesTable {
  /** Grows with each row and is never used again: the order of creation. */
  seq: Generated<number>
  id: string
  owner_id: string
  source: ImageSource
  prompt: string
  /** Null for uploads, like `model`. */
  engine: string | null
  model: string | null
  state: ImageState
  failure: ErrorCode | null
  /** Names the attempt, so that a client's retry finds it instead of starting another. */
  request_key: string | null
  /** The day whose usage it was counted on; null once given back. */
  counted_on: string | null
  /** The image's folder in the blob store, and what is known of the original in it; null until ready. */
  folder: string | null
  sha256: string | null
  /** SHA-256 of the bytes as they were uploaded, or as 0.1 stored a generated image, in hex; null where neither applies. */
  upload_sha256: string | null
  width: number | null
  height: number | null
  placeholder: string | null
  created_at: number
  /** When its turn came and the engine was asked; null for uploads and while it waits. */
  started_at: number | null
  finished_at: number | null
  /** When an administrator hid it, with every post that shows it; null while it is not hidden. */
  hidden_at: number | null
  /** When its owner deleted it while it was hidden: kept until an administrator decides. */
  withdrawn_at: number | null
}

export interface PostsTable {
  /** Grows with each row and is never used again: the gallery's order, and what cursors point to. */
  seq: Generated<number>
  id: string
  author_id: string
  image_id: string
  name: string
  prompt: string
  /** Case-folded name and prompt, as `searchText` makes it. */
  search_text: string
  created_at: number
  /** When an administrator took it out of the gallery; null while it is in it. Set exactly while its image is hidden. */
  hidden_at: number | null
  /** When its author deleted it while it was hidden: kept until an administrator decides. */
  withdrawn_at: number | null
}

/** The posts that are not hidden by the pieces of their texts; written by triggers only, and read with MATCH. */
export interface PostIndexTable {
  /** The post's `seq`. */
  rowid: number
}

/** One row about the posts that are not hidden; written by triggers only. */
export interface GalleryTable {
  /** How many there are. */
  posts: number
  /** How often one of them went, or came back, or was rewritten: all that happens but a new one. */
  changes: number
}

/** What visitors said of posts, until an administrator dismisses it. */
export interface ReportsTable {
  seq: Generated<number>
  post_id: string
  reason: ReportReason
  words: string
  created_at: number
}

/** What administrators did to other users' posts. Rows are only added; the names in them go with the accounts. */
export interface ModerationLogTable {
  seq: Generated<number>
  action: ModerationAction
  administrator_id: string
  administrator_name: string
  post_id: string
  /** Null once the author's account is deleted. */
  author_id: string | null
  /** What the post was reported as at that time, as a JSON array of reasons. */
  reasons: Generated<string>
  /** Of the image that was deleted with the post; its author may not share the same bytes again. */
  image_sha256: string | null
  created_at: number
}

export interface DailyUsageTable {
  person_id: string
  day: string
  /** Generated images, uploads, posts, and prompts that the engine rejected. */
  kind: 'image' | 'upload' | 'post' | 'blocked'
  used: number
}

/** What the whole site used up on a day; unlike `daily_usage` it stays when accounts are deleted. */
export interface SiteUsageTable {
  day: string
  images: number
}

/** By what programs act as a user; a token that is revoked has no row. */
export interface PersonalTokensTable {
  seq: Generated<number>
  id: string
  person_id: string
  /** What its user calls it. */
  name: string
  /** SHA-256 of the token's text, in hex. */
  hash: string
  /** What the user was called and looked like when it was made, for where the account is kept elsewhere. */
  person_name: string
  person_image: string | null
  created_at: number
  /** Null: not before it is revoked. */
  expires_at: number | null
  /** To the minute. */
  last_used_at: number | null
}

/** Users whose account was deleted or closed within the last hour: nothing more is stored for them. */
export interface TokenBarsTable {
  person_id: string
  created_at: number
}

/** One row: the identity of the site, which its uploads folder carries too. */
export interface SiteTable {
  /** Always 1. */
  singleton: Generated<number>
  /** 32 hexadecimal digits. */
  id: string
  /** When the database was created. Older images in the uploads folder are not its own. */
  created_at: number
}
