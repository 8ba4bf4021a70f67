import type { ModerationRecord } from './moderation.ts'

/** Actions of administrators on users and the site, as the audit log records them. */
export type AdminAction =
  | 'change_role'
  | 'change_daily_limit'
  | 'block'
  | 'unblock'
  | 'sign_out_user'
  | 'delete_user'
  | 'change_option'
  | 'create_invitation'
  | 'revoke_invitation'
  /** A user has created an account; the administrator is the one who invited them. */
  | 'accept_invitation'

/** Kinds of entries of the audit log, in the order of the filter. */
export const auditKinds = ['users', 'site', 'moderation'] as const

export type AuditKind = (typeof auditKinds)[number]

/** Kinds of the actions. Decisions about posts have records of their own. */
export const kindOfAction: Readonly<Record<AdminAction, Exclude<AuditKind, 'moderation'>>> = {
  change_role: 'users',
  change_daily_limit: 'users',
  block: 'users',
  unblock: 'users',
  sign_out_user: 'users',
  delete_user: 'users',
  change_option: 'site',
  create_invitation: 'users',
  revoke_invitation: 'users',
  accept_invitation: 'users',
}

/** What changed, as it was recorded with an action. */
export type AdminActionDetails = Readonly<Record<string, string | number | boolean | null>>

/** An action of an administrator on a user or the site. */
export interface AdminRecord {
  readonly action: AdminAction
  /** First name of the administrator. */
  readonly administrator: string
  /** The user that the action was about; null for none, and once the account is deleted. */
  readonly user: { readonly id: string; readonly name: string | null } | null
  readonly details: AdminActionDetails
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** An entry of the audit log. */
export type AuditEntry = { readonly id: string } & (
  | { readonly kind: 'admin'; readonly record: AdminRecord }
  | { readonly kind: 'moderation'; readonly record: ModerationRecord }
)

/** A part of the audit log, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  readonly nextCursor: string | null
}
