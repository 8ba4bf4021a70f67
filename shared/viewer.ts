/** The signed-in user, as every page may show them. */
export interface Viewer {
  readonly id: string
  readonly firstName: string
  /** Absolute URL of the avatar; null where the user has none. */
  readonly imageUrl: string | null
  /** There for administrators only, who may delete any post. */
  readonly isAdministrator?: true
}
