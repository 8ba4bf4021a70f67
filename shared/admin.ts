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

/** A way in which a local account signs in. */
export type SignInWay = 'password' | 'passkey' | 'oidc'

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
] as const

export type UserSort = (typeof userSorts)[number]

export const sortDirections = ['asc', 'desc'] as const

export type SortDirection = (typeof sortDirections)[number]

/** Number of days that statistics are about, including today. */
export const statisticsDays = 30
