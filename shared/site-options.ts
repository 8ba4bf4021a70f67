/** Who may create an account: everyone, no one, or users with an invitation. */
export type SignUpMode = 'open' | 'closed' | 'invite'

/** Options of the site that an administrator changes while it runs, unless an environment variable fixes them. */
export interface SiteOptions {
  /** Only of local accounts. */
  readonly signUp: SignUpMode
  /** Images per user and UTC day; users may have a limit of their own. */
  readonly dailyImageLimit: number
  /** Images of the whole site per UTC day; null: no limit. */
  readonly dailyImageTotal: number | null
}

/** Values of the options that were neither fixed nor changed. */
export const defaultSiteOptions: SiteOptions = {
  signUp: 'open',
  dailyImageLimit: 20,
  dailyImageTotal: null,
}
