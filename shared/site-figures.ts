import type { ErrorCode } from './errors.ts'

/** An image engine and what it did within the last 24 hours. */
export interface EngineFigures {
  readonly id: string
  readonly label: string
  /** True if it answered its latest check. */
  readonly isAvailable: boolean
  readonly succeeded: number
  readonly failed: number
  /** Its latest failure within the last 24 hours; null without one, and if an image has succeeded since. */
  readonly failure: { readonly code: ErrorCode; readonly at: string } | null
}

/** The state of the site, for administrators. */
export interface SiteOverview {
  /** Version of the server. */
  readonly version: string
  /** Number of accounts; with Clerk, of the users who have been on the site. */
  readonly users: number
  /** Signed-in users who were on the site today, in UTC. */
  readonly activeToday: number
  /** The same within the last seven days, including today. */
  readonly activeThisWeek: number
  /** Posts in the gallery. */
  readonly posts: number
  /** Images generated today, in UTC. */
  readonly imagesToday: number
  readonly storage: {
    /** Null while it is measured. */
    readonly usedBytes: number | null
    /** Null if the storage has no known limit. */
    readonly freeBytes: number | null
  }
  /** Generations of all processes. */
  readonly queue: { readonly running: number; readonly waiting: number }
  readonly engines: readonly EngineFigures[]
  /** Failed generations of the last 24 hours by reason, the most frequent first. */
  readonly failures: readonly { readonly code: ErrorCode; readonly images: number }[]
  /** Posts with reports or an appeal, counted up to 100. */
  readonly reportsWaiting: number
  /** Mails to be sent; null if the site sends none. */
  readonly mailsWaiting: number | null
}

/** Figures of a day in UTC. */
export interface DayFigures {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Generated images. */
  readonly images: number
  /** Posts of the day that are in the gallery now. */
  readonly posts: number
  /** New accounts; with Clerk, users who first came on this day. */
  readonly newUsers: number
  /** Failed generations. */
  readonly failures: number
}

/** Number of days that statistics are about, including today. */
export const statisticsDays = 30
