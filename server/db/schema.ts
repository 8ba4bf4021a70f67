import type { Generated } from 'kysely'
import type { ErrorCode } from '../../shared/errors.ts'
import type { ImageState } from '../../shared/images.ts'
import type { ModerationAction, ReportReason } from '../../shared/moderation.ts'
import type { PictureSource } from '../../shared/posts.ts'

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
  reports: ReportsTable
  moderation_log: ModerationLogTable
  personal_tokens: PersonalTokensTable
  token_bars: TokenBarsTable
}

export interface ImagesTable {
  /** Grows with each row and is never used again: the order of creation. */
  seq: Generated<number>
  id: string
  owner_id: string
  source: PictureSource
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
  /** The picture's folder in the blob store, and what is known of the original in it; null until ready. */
  folder: string | null
  sha256: string | null
  width: number | null
  height: number | null
  placeholder: string | null
  created_at: number
  /** When its turn came and the engine was asked; null for uploads and while it waits. */
  started_at: number | null
  finished_at: number | null
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
  /** When an administrator took it out of the gallery; null while it is in it. */
  hidden_at: number | null
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

/** Who did what to somebody else's post; rows are only added. */
export interface ModerationLogTable {
  seq: Generated<number>
  action: ModerationAction
  administrator_id: string
  administrator_name: string
  post_id: string
  created_at: number
}

export interface DailyUsageTable {
  person_id: string
  day: string
  /** Images made, photos uploaded, prompts that the engine refused. */
  kind: 'image' | 'upload' | 'blocked'
  used: number
}

/** By what programs act as a person; a token that is revoked has no row. */
export interface PersonalTokensTable {
  seq: Generated<number>
  id: string
  person_id: string
  /** What its person calls it. */
  name: string
  /** SHA-256 of the token's text, in hex. */
  hash: string
  /** What the person was called and looked like when it was made, for where the account is kept elsewhere. */
  person_name: string
  person_image: string | null
  created_at: number
  /** Null: not before it is revoked. */
  expires_at: number | null
  /** To the minute. */
  last_used_at: number | null
}

/** Whose account has gone or was closed a short while ago: they may make no tokens. */
export interface TokenBarsTable {
  person_id: string
  created_at: number
}
