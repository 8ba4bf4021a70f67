import type { TextLimit } from './limits.ts'
import type { Post } from './posts.ts'

/** Why a visitor thinks that a post should not be here, in their words and in the order in which they are offered. */
export const reasonLabels = {
  illegal: 'It breaks the law',
  sexual: 'It is sexual or shows nudity',
  violent: 'It is violent or cruel',
  hateful: 'It is hateful or bullies somebody',
  user: 'It shows somebody who may not want that',
  copyright: 'It copies somebody’s work',
  spam: 'It is spam or advertising',
  other: 'Something else',
} as const

export type ReportReason = keyof typeof reasonLabels

export const reportReasons = Object.keys(reasonLabels) as readonly ReportReason[]

/** How much may be said beside the reason. */
export const reportCommentLimit: TextLimit = { characters: 500, codeUnits: 2_000 }

/** What a visitor said of a post. Who it was is kept nowhere. */
export interface Report {
  readonly id: number
  readonly reason: ReportReason
  /** '' where nothing was said beside the reason. */
  readonly comment: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** A post that waits for an administrator: somebody reported it, or it is hidden. */
export interface ReportedPost {
  readonly post: Post
  /** Whether its image is hidden, with every post that shows it. */
  readonly isHidden: boolean
  /** Whether its author deleted it while it was hidden. It is kept until an administrator decides. */
  readonly isWithdrawn: boolean
  /** How many posts show its image or a copy of it: they are hidden, shown again and deleted together. */
  readonly postsOfImage: number
  /** Newest first; at most the newest 20. */
  readonly reports: readonly Report[]
  /** How many there are in all. */
  readonly reportCount: number
}

/** What administrators have before them. */
export interface ReportedPosts {
  /** Last reported first; at most the first 100. */
  readonly entries: readonly ReportedPost[]
  /** How many there are in all. */
  readonly total: number
}

export type ModerationAction = 'hide' | 'unhide' | 'dismiss' | 'delete'

/** Who did what to somebody else's post. */
export interface ModerationRecord {
  readonly action: ModerationAction
  /** First name of the administrator. */
  readonly administrator: string
  readonly postId: string
  /** The author's shown name; null once the post is gone. */
  readonly postName: string | null
  /** Id of the author's account; null once that is deleted. */
  readonly authorId: string | null
  /** What the post was reported as at that time. */
  readonly reasons: readonly ReportReason[]
  /** ISO 8601, UTC. */
  readonly createdAt: string
}
