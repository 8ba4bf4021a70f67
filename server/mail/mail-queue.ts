import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ReportReason } from '../../shared/moderation.ts'
import type { WebhookDisabledReason } from '../../shared/webhooks.ts'
import { dbNow, dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { countRows, hasRows } from '../db/rows.ts'
import type { RowOf } from '../db/schema.ts'

/**
 * Content of a mail. Stored as JSON until the mail is sent: fields may be added, but messages of an earlier
 * version must stay readable.
 */
export type MailMessage = (
  | ModerationMessage
  /** Reports and appeals that wait for a moderator. They are counted when the mail is sent. */
  | { readonly kind: 'reports' }
  | WebhookMessage
  /** What is new for the recipient since a time in milliseconds since 1970. It is read when the mail is sent. */
  | { readonly kind: 'digest'; readonly since: number }
  | AccountMessage
) & {
  /** Time in which it must be sent, for example while its link is valid; a day by default. */
  readonly expiresInMinutes?: number
}

export interface ModerationMessage {
  readonly kind: 'moderation'
  readonly decision:
    | 'hidden'
    | 'restored'
    | 'deleted'
    | 'appeal-dismissed'
    | 'collection-hidden'
    | 'collection-restored'
  /** Prompt of the post, or title of the collection. Sent to a verified address only: the user may have written it for the owner of another one. */
  readonly prompt: string
  readonly reasons: readonly ReportReason[]
  /** Words of a moderator or administrator to the recipient; may be empty. */
  readonly note: string
}

export interface WebhookMessage {
  readonly kind: 'webhook-disabled'
  readonly host: string
  readonly reason: WebhookDisabledReason
  readonly isOfSite: boolean
}

/** A mail about the recipient's own account, which cannot be switched off. */
export type AccountMessage =
  /** A link by which the recipient chooses a password, or confirms an email, with the time for which it is valid. */
  | {
      readonly kind: 'password-reset' | 'email-verification' | 'email-change'
      readonly url: string
      readonly expiresInMinutes: number
    }
  /** A sign-up with the email of an account. The link leads to the page on which a password is chosen. */
  | { readonly kind: 'existing-account'; readonly url: string }
  /** The latter to the former email. */
  | { readonly kind: 'password-changed' | 'email-changed' }

interface Mail {
  /** Address; by default the one that the user's account has when the mail is sent. */
  readonly to?: string
  /** User whose account deletion discards the mail. */
  readonly userId: string
  /** BCP 47 tag; by default the language of the user's latest request. */
  readonly language?: string | null
  readonly message: MailMessage
}

/*
 * The queue of mails. A row is due at `due_at`, by the clock of the database. A process claims it by moving that time to the
 * end of its lease, so that a mail whose process was killed is due again then; it deletes the row once the SMTP server has
 * accepted the mail. Each mail is therefore sent at least once, and twice only if the process ends between these two. A process
 * whose lease has expired changes nothing else: `due_at` tells the claims of a mail apart.
 *
 * A bundled mail is sent at most once an hour. Its row counts in `pending` what happened since, and is deleted when nothing
 * has.
 */

export type MailRow = RowOf<'mails'>

/** A mail that this process sends now; it is too late to send an expired one. */
export type ClaimedMail = MailRow & { readonly isExpired: boolean | number }

/** Time in which a mail is sent, or given up. */
const validMinutes = 24 * 60

const minuteMs = 60 * 1_000

/** Shortest time between two mails of a bundle. */
const bundleMs = 60 * minuteMs

/** Queues a mail. Call it in the transaction of what it reports, and only if the site sends mails. */
export async function queueMail(transaction: Database, mail: Mail): Promise<void> {
  await transaction.insertInto('mails').values(newRow(transaction, mail)).execute()
}

/**
 * Queues a mail that stands for everything of its kind until it is sent, and is followed by another one after an hour at the
 * earliest. In the transaction of what it reports; several in the order of their users.
 */
export async function queueBundledMail(transaction: Database, mail: Mail): Promise<void> {
  const bundle = `${mail.message.kind}:${mail.userId}`
  await transaction
    .insertInto('mails')
    .values({ ...newRow(transaction, mail), bundle })
    .onConflict((conflict) =>
      conflict.column('bundle').doUpdateSet((eb) => ({ pending: eb('mails.pending', '+', 1) })),
    )
    .execute()
}

function newRow(db: Database, { to, userId, language, message }: Mail) {
  const now = dbNow(db)
  const { expiresInMinutes = validMinutes } = message
  return {
    id: randomUUID(),
    recipient: to ?? null,
    user_id: userId,
    language: language ?? null,
    message: JSON.stringify(message),
    created_at: now,
    due_at: now,
    expires_at: sql<number>`${now} + ${sql.lit(expiresInMinutes * minuteMs)}`,
  }
}

/** Claims the mail that has been due for the longest time; null if none is. */
export async function claimMail(db: Database, leaseMs: number): Promise<ClaimedMail | null> {
  const due = db.selectFrom('mails').select('id').where('due_at', '<=', dbNow(db)).limit(1)
  // Without a write, which on SQLite would wait for other writers.
  if (!(await hasRows(due))) return null
  const row = await db
    .updateTable('mails')
    .set((eb) => ({ due_at: eb(dbNow(db), '+', leaseMs), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', () =>
      due.orderBy('due_at').$if(dialectOf(db) === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .returning((eb) => eb('expires_at', '<=', dbNow(db)).as('isExpired'))
    .executeTakeFirst()
  return row ?? null
}

/** Removes a claimed mail that was sent or that will not be; a bundle waits an hour for more. */
export async function finishMail(db: Database, { id, bundle, pending, due_at }: MailRow): Promise<void> {
  if (bundle === null || pending === 0) {
    await db.deleteFrom('mails').where('id', '=', id).where('pending', '=', pending).execute()
    return
  }
  await db
    .updateTable('mails')
    .set((eb) => ({
      pending: eb('pending', '-', pending),
      attempts: 0,
      created_at: dbNow(db),
      due_at: eb(dbNow(db), '+', bundleMs),
      expires_at: eb(dbNow(db), '+', bundleMs + validMinutes * minuteMs),
    }))
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .execute()
}

/** Leaves a claimed mail, which was not sent, to the next process, after a pause. */
export async function releaseMail(db: Database, { id, due_at }: MailRow, pauseMs = 0): Promise<void> {
  await db
    .updateTable('mails')
    .set((eb) => ({ due_at: eb(dbNow(db), '+', pauseMs) }))
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .execute()
}

export function countMails(db: Database): Promise<number> {
  return countRows(db.selectFrom('mails').where('pending', '>', 0))
}
