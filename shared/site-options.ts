import type { Announcement } from './announcements.ts'
import { dailyImagesMax, dollarsMax, storageLimitMegabytesMax, unsharedImageDaysMax } from './limits.ts'
import type { Role } from './viewer.ts'

/** Users who may create an account: everyone, no one, or users with an invitation. */
export type SignUpMode = 'open' | 'closed' | 'invite'

/** Decisions of administrators about an engine. */
export interface EngineOptions {
  /** A paused engine accepts no new images, and generates none of those that wait. */
  readonly isPaused: boolean
  /** The lowest role that may use it. */
  readonly access: Role
}

/** Decisions about engines that nothing was decided about. */
export const defaultEngineOptions: EngineOptions = { isPaused: false, access: 'member' }

/** Values of the options that were neither fixed nor changed. */
export const defaultSiteOptions = {
  /** Only of local accounts. */
  signUp: 'open' as SignUpMode,
  /** Images per user and UTC day; users may have a limit of their own. */
  dailyImageLimit: 20,
  /** Images of the whole site per UTC day; null: no limit. */
  dailyImageTotal: null as number | null,
  /** USD that images of the whole site may cost per UTC month; null: no limit. */
  monthlyBudget: null as number | null,
  /** USD that images of each user may cost per UTC month; null: no limit. */
  monthlyBudgetPerUser: null as number | null,
  /** By the id of the engine; without those that nothing was decided about. */
  engines: {} as Readonly<Record<string, EngineOptions>>,
  /** Id of the engine that is offered first; null: the first of the configuration. */
  defaultEngine: null as string | null,
  /** Days after which images that are not shared move to the trash; null: never. */
  unsharedImageDays: null as number | null,
  /** Bytes of a user's stored images, in millions, those in the trash included; null: no limit. */
  storageLimitMegabytes: null as number | null,
  /** The newest first, ended ones included. */
  announcements: [] as readonly Announcement[],
}

/** Options of the site that an administrator changes while it runs, unless an environment variable fixes them. */
export type SiteOptions = Readonly<typeof defaultSiteOptions>

/** Options that are a number, null for none unless one is required, in the order of the form. `variable` fixes one. */
export const numberOptions = [
  { name: 'dailyImageLimit', variable: 'DAILY_IMAGE_LIMIT', min: 0, max: dailyImagesMax, isRequired: true },
  { name: 'dailyImageTotal', variable: 'DAILY_IMAGE_TOTAL', min: 0, max: dailyImagesMax },
  { name: 'monthlyBudget', variable: 'MONTHLY_BUDGET', min: 0, max: dollarsMax, isMoney: true },
  {
    name: 'monthlyBudgetPerUser',
    variable: 'MONTHLY_BUDGET_PER_USER',
    min: 0,
    max: dollarsMax,
    isMoney: true,
  },
  { name: 'unsharedImageDays', variable: 'UNSHARED_IMAGE_DAYS', min: 1, max: unsharedImageDaysMax },
  { name: 'storageLimitMegabytes', variable: 'USER_STORAGE_LIMIT_MB', min: 1, max: storageLimitMegabytesMax },
] as const

export type NumberOption = (typeof numberOptions)[number]['name']
