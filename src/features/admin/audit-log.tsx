import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useState } from 'react'
import {
  auditKinds,
  type AdminAction,
  type AdminActionDetails,
  type AuditKind,
} from '../../../shared/admin.ts'
import { pagesOf } from '../../api/pages.ts'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { SelectField } from '../../ui/form.tsx'
import { NextPage } from '../auth/call-failure.tsx'
import { ActionLog, moderationAction, type LoggedAction } from '../../ui/action-log.tsx'
import styles from './admin.module.css'
import { numberTexts } from './settings.tsx'

const pageSize = 50

type AuditEntry = RouterOutputs['admin']['auditLog']['entries'][number]

/** Everything that administrators and moderators did, newest first. */
export function AuditLog() {
  const { t } = useLingui()
  const [kind, setKind] = useState<AuditKind | null>(null)
  const labels: Readonly<Record<AuditKind, string>> = {
    users: t`Users`,
    site: t({ message: 'Site', context: 'audit log' }),
    moderation: t`Moderation`,
  }
  return (
    <div className={`stack ${styles['auditLog']}`}>
      <SelectField
        label={t({ message: 'Show', context: 'audit log' })}
        value={kind ?? ''}
        options={[['', t`Everything`], ...auditKinds.map((one) => [one, labels[one]] as const)]}
        onChange={({ target }) => setKind(auditKinds.find((one) => one === target.value) ?? null)}
      />
      <Entries key={kind} kind={kind} />
    </div>
  )
}

function Entries({ kind }: { kind: AuditKind | null }) {
  const { t, i18n } = useLingui()
  const { client } = trpc.useUtils()
  const input = { ...(kind && { kind }), limit: pageSize }
  const query = useInfiniteQuery({
    queryKey: getQueryKey(trpc.admin.auditLog, input, 'infinite'),
    ...pagesOf((cursor) => client.admin.auditLog.query({ ...input, cursor })),
    refetchOnMount: 'always',
  })
  const entries = query.data?.pages.flatMap((page) => page.entries)
  return (
    <>
      {entries && <ActionLog actions={entries.map((entry) => loggedAction(entry, i18n))} />}
      <NextPage query={query} label={t`Show earlier entries`} failed={t`The log could not be loaded.`} />
    </>
  )
}

function loggedAction(entry: AuditEntry, i18n: I18n): LoggedAction {
  if (entry.kind === 'moderation') return { ...moderationAction(entry.record, i18n), id: entry.id }
  const { action, administrator, user, details, createdAt } = entry.record
  const { from, to, text, name, engine, invitation, host } = details
  /** Returns a name as the page calls it. */
  const known = (names: Readonly<Record<string, MessageDescriptor>>, id: string) =>
    names[id] && Object.hasOwn(names, id) ? i18n._(names[id]) : id
  const [before, after] = [optionValue(from, i18n), optionValue(to, i18n)]
  return {
    id: entry.id,
    at: createdAt,
    sentence: sentences[action]({
      by: known(actors, administrator),
      user: user === null ? i18n._(msg`a user whose account was deleted`) : (user.name ?? user.id),
      to,
      role: known(roles, String(to)),
      engine: String(engine),
      number: String(invitation),
      host: String(host),
      name: action === 'change_option' ? known(options, String(name)) : String(name),
    }),
    details:
      action === 'change_option'
        ? [msg`Before: ${before}. Now: ${after}.`]
        : typeof text === 'string'
          ? [msg`“${text}”`]
          : [],
  }
}

/** What sentences are about: names of users, and details of actions, which each action has some of. */
interface Subject {
  /** Name of the administrator. */
  readonly by: string
  readonly user: string
  readonly to: AdminActionDetails[string] | undefined
  readonly role: string
  readonly engine: string
  readonly number: string
  readonly host: string
  /** Name of an option. */
  readonly name: string
}

/** Names of those who are no users. */
const actors: Readonly<Record<string, MessageDescriptor>> = {
  Operator: msg({ message: 'Operator', context: 'audit log' }),
  Setup: msg({ message: 'Setup', context: 'audit log' }),
}

const roles: Readonly<Record<string, MessageDescriptor>> = {
  member: msg`member`,
  moderator: msg`moderator`,
  administrator: msg`administrator`,
}

/** Names of options, as in the settings. */
const options: Readonly<Record<string, MessageDescriptor>> = {
  signUp: msg`Sign-up`,
  name: msg`Name of the site`,
  contact: msg`Contact`,
  accent: msg`Accent color`,
  logo: msg`Logo`,
  welcome: msg`Welcome text`,
  examples: msg`Example prompts`,
  rules: msg`Rules`,
  ...Object.fromEntries(Object.entries(numberTexts).map(([name, [label]]) => [name, label])),
}

function optionValue(json: AdminActionDetails[string] | undefined, i18n: I18n): string {
  if (json === undefined || json === null || json === 'null') return i18n._(msg`not set`)
  return String(json).replace(/^"(.*)"$/, '$1')
}

const sentences: Readonly<Record<AdminAction, (subject: Subject) => MessageDescriptor>> = {
  change_role: ({ by, user, role }) => msg`${by} changed the role of ${user} to ${role}.`,
  change_daily_limit: ({ by, user, to }) =>
    typeof to === 'number'
      ? msg`${by} set the daily limit of ${user} to ${plural(to, { one: '# image', other: '# images' })}.`
      : msg`${by} gave ${user} the daily limit of the site again.`,
  change_monthly_budget: ({ by, user, to }) =>
    typeof to === 'number'
      ? msg`${by} set the monthly budget of ${user} to ${to} US dollars.`
      : msg`${by} gave ${user} the monthly budget of the site again.`,
  block: ({ by, user }) => msg`${by} blocked ${user}.`,
  unblock: ({ by, user }) => msg`${by} unblocked ${user}.`,
  sign_out_user: ({ by, user }) => msg`${by} signed ${user} out everywhere.`,
  delete_user: ({ by, user }) => msg`${by} deleted the account of ${user}.`,
  change_option: ({ by, name }) => msg`${by} changed the option “${name}”.`,
  change_appearance: ({ by, name }) => msg`${by} changed the appearance of the site: ${name}.`,
  pause_engine: ({ by, engine }) => msg`${by} paused the engine ${engine}.`,
  resume_engine: ({ by, engine }) => msg`${by} resumed the engine ${engine}.`,
  change_engine_access: ({ by, engine, role }) =>
    msg`${by} set the lowest role that may use the engine ${engine} to ${role}.`,
  change_default_engine: ({ by, engine }) => msg`${by} made ${engine} the default engine.`,
  create_engine: ({ by, engine }) => msg`${by} added the engine ${engine}.`,
  change_engine: ({ by, engine }) => msg`${by} changed the engine ${engine}.`,
  delete_engine: ({ by, engine }) => msg`${by} deleted the engine ${engine}.`,
  create_invitation: ({ by, number }) => msg`${by} created invitation ${number}.`,
  revoke_invitation: ({ by, number }) => msg`${by} revoked invitation ${number}.`,
  accept_invitation: ({ by, user, number }) =>
    msg`An account was created for ${user} by invitation ${number} of ${by}.`,
  announce: ({ by }) => msg`${by} published an announcement.`,
  change_announcement: ({ by }) => msg`${by} changed an announcement.`,
  remove_announcement: ({ by }) => msg`${by} removed an announcement.`,
  create_webhook: ({ by, host }) => msg`${by} created a webhook at ${host}.`,
  change_webhook: ({ by, host }) => msg`${by} changed the webhook at ${host}.`,
  delete_webhook: ({ by, host }) => msg`${by} deleted the webhook at ${host}.`,
  feature_collection: ({ by }) => msg`${by} changed the theme of the gallery.`,
  create_style: ({ by, name }) => msg`${by} added the style “${name}” to the site.`,
  change_style: ({ by, name }) => msg`${by} changed the style “${name}” of the site.`,
  delete_style: ({ by, name }) => msg`${by} deleted the style “${name}” of the site.`,
  hide_collection: ({ by, user }) => msg`${by} hid a collection of ${user}.`,
  unhide_collection: ({ by, user }) => msg`${by} showed a collection of ${user} again.`,
  dismiss_collection: ({ by, user }) => msg`${by} dismissed the reports of a collection of ${user}.`,
  rotate_webhook_secret: ({ by, host }) => msg`${by} gave the webhook at ${host} a new secret.`,
}
