import type { TextLimit } from './limits.ts'

/** Kinds of announcements, in the order of the form. */
export const announcementLevels = ['info', 'warning'] as const

/** Message of administrators to everyone, on every page. */
export interface Announcement {
  /** Changes with what it says, so that browsers that have dismissed it show it again. */
  readonly id: string
  readonly text: string
  /** Title of the theme whose end it announces; its text is then for programs, and pages say so in their language. */
  readonly endedTheme?: string
  readonly level: (typeof announcementLevels)[number]
  /** Web address, or path on the site; null without one. */
  readonly link: string | null
  /** Time from which it is not shown any more, ISO 8601, UTC; null: until it is removed. */
  readonly endsAt: string | null
}

export const announcementLimit: TextLimit = { characters: 500, codeUnits: 2_000 }

export const announcementLinkMaxLength = 1_000

/** Maximum number of announcements, ended ones included. */
export const announcementsMax = 5

/** Checks whether an announcement may link to an address: a page of the web, or of this site by its path. */
export function isAnnouncementLink(link: string): boolean {
  if (link.length > announcementLinkMaxLength || /[\s\\]/.test(link)) return false
  if (link.startsWith('/')) return !link.startsWith('//')
  return /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(link)
}

/** Returns the announcements that are shown at a time in milliseconds since 1970. */
export function currentAnnouncements(announcements: readonly Announcement[], now: number): Announcement[] {
  return announcements.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > now)
}
