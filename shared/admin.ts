import type { EngineKind } from './engines.ts'
import type { ErrorCode } from './errors.ts'
import type { ModerationRecord } from './moderation.ts'
import type { EngineOptions } from './site-options.ts'

/** Actions of administrators on users and the site, as the audit log records them. */
export type AdminAction =
  | 'change_role'
  | 'change_daily_limit'
  | 'block'
  | 'unblock'
  | 'sign_out_user'
  | 'delete_user'
  | 'change_option'
  | 'pause_engine'
  | 'resume_engine'
  | 'change_engine_access'
  | 'change_default_engine'
  | 'create_invitation'
  | 'revoke_invitation'
  /** A user has created an account; the administrator is the one who invited them. */
  | 'accept_invitation'
  | 'announce'
  | 'change_announcement'
  | 'remove_announcement'
  | 'create_webhook'
  | 'change_webhook'
  | 'delete_webhook'
  | 'rotate_webhook_secret'

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
  pause_engine: 'site',
  resume_engine: 'site',
  change_engine_access: 'site',
  change_default_engine: 'site',
  create_invitation: 'users',
  revoke_invitation: 'users',
  accept_invitation: 'users',
  announce: 'site',
  change_announcement: 'site',
  remove_announcement: 'site',
  create_webhook: 'site',
  change_webhook: 'site',
  delete_webhook: 'site',
  rotate_webhook_secret: 'site',
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

/** An engine, as administrators see it. */
export interface AdminEngine extends EngineOptions {
  readonly id: string
  readonly kind: EngineKind
  readonly label: string
  /** Default model; '' if unknown. */
  readonly model: string
  /** True for the one that is offered first. */
  readonly isDefault: boolean
  /** False while it can't be reached, or is misconfigured. */
  readonly isAvailable: boolean
  /** Reason for which it is not available, in words of its server; null without one. */
  readonly issue: string | null
  /** Number of images that wait for it. */
  readonly waiting: number
  /** Number of images that it generates. */
  readonly running: number
  /** Latest failure of the last day; null without one. */
  readonly failure: { readonly code: ErrorCode; /** ISO 8601, UTC. */ readonly at: string } | null
}
