/** Permissions of a user: moderators review reports and hide posts, administrators also manage users and the site. */
export const roles = ['member', 'moderator', 'administrator'] as const

export type Role = (typeof roles)[number]

/** Checks whether a role has the rights of another one. */
export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

/** The signed-in user. */
export interface Viewer {
  readonly id: string
  readonly firstName: string
  /** Absolute URL of the avatar; null if the user has none. */
  readonly imageUrl: string | null
  readonly role: Role
}
