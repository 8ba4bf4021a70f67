/** Permissions of a user: moderators review reports and hide posts, administrators also manage users and the site. */
export type Role = 'member' | 'moderator' | 'administrator'

/** The signed-in user. */
export interface Viewer {
  readonly id: string
  readonly firstName: string
  /** Absolute URL of the avatar; null if the user has none. */
  readonly imageUrl: string | null
  readonly role: Role
}
