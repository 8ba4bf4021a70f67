import type { Role } from './viewer.ts'

/** A way in which a local account signs in. */
export type SignInWay = 'password' | 'passkey' | 'oidc'

/** A user as administrators see them. Times are ISO 8601, UTC. */
export interface ManagedUser {
  readonly id: string
  /** First name for users of a hosted sign-in service. */
  readonly name: string
  /** Null for users of a hosted sign-in service. */
  readonly email: string | null
  readonly role: Role
  /** Environment variable that decides on the role; null if administrators do. */
  readonly fixedRole: string | null
  /** True if the user cannot sign in. */
  readonly blocked: boolean
  /** Images per UTC day; null for the limit of the site. */
  readonly dailyImageLimit: number | null
  /** Time of the sign-up; for users of a hosted sign-in service, of the first visit. */
  readonly createdAt: string
  /** Accurate to the hour; null if the user was not here since it is recorded. */
  readonly lastSeenAt: string | null
  /** Generated images, without those that failed, were canceled or are in the trash. */
  readonly images: number
  /** Posts of any visibility. */
  readonly posts: number
  /** Bytes of stored images, also of those in the trash. */
  readonly storedBytes: number
  /** Empty for users of a hosted sign-in service. */
  readonly signIn: readonly SignInWay[]
}

/** A page of users, the newest first. */
export interface ManagedUsers {
  readonly users: readonly ManagedUser[]
  readonly nextCursor: string | null
  /** Number of users on all pages. */
  readonly total: number
}
