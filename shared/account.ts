import type { Image } from './images.ts'
import type { Post } from './posts.ts'
import type { PersonalToken } from './tokens.ts'

/** A sign-in that has not ended. */
export interface SessionFacts {
  /** When it began and when it ends if it is not used, in ISO 8601. */
  readonly createdAt: string
  readonly expiresAt: string
  /** Where it began, as far as that was known: a network address, and what the browser called itself. */
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

/** Everything that the server keeps of a person, for them to take away. */
export interface PersonData {
  readonly person: {
    readonly id: string
    /** Null, like the others, where the account is kept by another service. */
    readonly name: string | null
    readonly email: string | null
    readonly createdAt: string | null
  }
  /** Newest first, each with the address of its picture where it has one. */
  readonly images: readonly Image[]
  readonly posts: readonly Post[]
  /** What is known of their tokens; nobody knows the tokens themselves. */
  readonly tokens: readonly PersonalToken[]
  /** None where the account is kept by another service. */
  readonly sessions: readonly SessionFacts[]
}

/** What becomes of a person's posts when their account goes: they stay under the names they show, or go too. */
export type PostsOfDeleted = 'keep' | 'remove'
