import type { ModerationRecord } from './moderation.ts'
import type { Role } from './viewer.ts'

/** Kinds of entries of the audit log, in the order of the filter. */
export const auditKinds = ['users', 'site', 'moderation'] as const

export type AuditKind = (typeof auditKinds)[number]

/** Actions of administrators on users and the site, with their kinds. Decisions about posts have records of their own. */
export const kindOfAction = {
  change_role: 'users',
  change_daily_limit: 'users',
  change_monthly_budget: 'users',
  block: 'users',
  unblock: 'users',
  sign_out_user: 'users',
  delete_user: 'users',
  change_option: 'site',
  change_appearance: 'site',
  pause_engine: 'site',
  resume_engine: 'site',
  change_engine_access: 'site',
  change_default_engine: 'site',
  create_engine: 'site',
  change_engine: 'site',
  delete_engine: 'site',
  create_invitation: 'users',
  revoke_invitation: 'users',
  /** A user has created an account; the administrator is the one who invited them. */
  accept_invitation: 'users',
  announce: 'site',
  change_announcement: 'site',
  remove_announcement: 'site',
  create_webhook: 'site',
  change_webhook: 'site',
  delete_webhook: 'site',
  rotate_webhook_secret: 'site',
  feature_collection: 'site',
  create_style: 'site',
  change_style: 'site',
  delete_style: 'site',
  hide_collection: 'moderation',
  unhide_collection: 'moderation',
  dismiss_collection: 'moderation',
} as const satisfies Readonly<Record<string, AuditKind>>

export type AdminAction = keyof typeof kindOfAction

/** Changes, as they were recorded with an action. */
export type AdminActionDetails = Readonly<Record<string, string | number | boolean | null>>

/** An action of an administrator on a user or the site. */
interface AdminRecord {
  readonly action: AdminAction
  /** First name of the administrator. */
  readonly administrator: string
  /** The user that the action was about; null for none, and once the account is deleted. */
  readonly user: { readonly id: string; readonly name: string | null } | null
  readonly details: AdminActionDetails
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

export type AuditEntry = { readonly id: string } & (
  | { readonly kind: 'admin'; readonly record: AdminRecord }
  | { readonly kind: 'moderation'; readonly record: ModerationRecord }
)

/** Settings of an engine that was added on the site, as in the engines file, without its secrets. */
export interface EngineSettings {
  readonly url?: string
  /** Undefined for the usual one. */
  readonly model?: string
  readonly models?: readonly string[]
  readonly workflow?: unknown
  readonly steps?: number
  readonly sampler?: string
  readonly scheduler?: string
  readonly cfg?: number
  /** USD of an image, or by model. */
  readonly price?: number | Readonly<Record<string, number>>
}

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
  /** USD per UTC month; null for the site's budget per user. */
  readonly monthlyBudget: number | null
  /** Time of the sign-up; for users of a hosted sign-in service, of the first visit. */
  readonly createdAt: string
  /** Accurate to the hour; null if the user was not here since it is recorded. */
  readonly lastSeenAt: string | null
  /** Generated images and those in the queue, without those that failed, were canceled or are in the trash. */
  readonly images: number
  /** Posts of any visibility. */
  readonly posts: number
  /** Bytes of stored images, also of those in the trash. */
  readonly storedBytes: number
  /** Empty for users of a hosted sign-in service. */
  readonly signIn: readonly SignInWay[]
}

/** Fields that users can be sorted by. Roles are sorted by what they may do. */
export const userSorts = [
  'createdAt',
  'name',
  'email',
  'role',
  'images',
  'posts',
  'storedBytes',
  'lastSeenAt',
] as const satisfies readonly (keyof ManagedUser)[]

export type UserSort = (typeof userSorts)[number]

export const sortDirections = ['asc', 'desc'] as const

export type SortDirection = (typeof sortDirections)[number]

/** Number of days that statistics are about, including today. */
export const statisticsDays = 30
