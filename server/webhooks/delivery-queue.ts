import {
  deliveryLogDays,
  waitingDeliveriesMax,
  type WebhookDisabledReason,
  type WebhookFailure,
} from '../../shared/webhooks.ts'
import { msPerDay } from '../db/gallery.ts'
import { countRows, deleteRows, hasRows } from '../db/rows.ts'
import { inTransaction } from '../db/transaction.ts'
import { dbNow, dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import type { RowOf } from '../db/schema.ts'
import { mailWebhookOwner } from '../mail/notices.ts'
import type { UserServices } from '../access/user-access.ts'
import { countWaiting, isWaiting } from './webhook-events.ts'

/*
 * The queue of deliveries. A process claims a webhook with its next due delivery by a lease, so that each webhook gets one
 * request at a time, whichever process sends it, and a slow one delays no other. A delivery whose process was killed is due
 * again when the lease has expired: each is attempted at least once, and by two processes only then.
 */

export type WebhookRow = RowOf<'webhooks'>
export type DeliveryRow = RowOf<'webhook_deliveries'>

/** A secret that was replaced, and signs until a time in milliseconds since 1970. */
interface FormerSecret {
  readonly secret: string
  readonly until: number
}

/** Returns the former secrets of a webhook that still sign, oldest first. */
export function formerSecretsOf(
  { former_secrets }: Pick<WebhookRow, 'former_secrets'>,
  now: number,
): readonly FormerSecret[] {
  return (JSON.parse(former_secrets) as FormerSecret[]).filter(({ until }) => now < until)
}

/** A delivery that this process sends now, and its webhook. */
export type ClaimedDelivery = NonNullable<Awaited<ReturnType<typeof claimDelivery>>>

const minuteMs = 60_000

/** Pauses after failed attempts; the delivery fails after the attempt that follows the last one, on the fourth day. */
const retryDelaysMs = [
  5_000,
  ...[5, 30, 120, 300, 600, 840, 1_200, 1_440].map((minutes) => minutes * minuteMs),
]

/** Greatest part of a pause that is added at random, so that deliveries which failed together are not repeated together. */
const jitter = 0.1

/** Time in which every attempt must have failed for a webhook to be disabled. */
const failingMs = 3 * msPerDay

/** Maximum number of logged deliveries of a webhook. */
const logLength = 5_000

interface ClaimOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly leaseMs: number
  /** Ids of users whose webhooks are left out. */
  readonly excludedOwners: readonly string[]
  /** True if webhooks whose latest attempt failed are left out. */
  readonly excludesFailing: boolean
}

/** Selects a delivery that may be sent now. */
function selectDue(db: Database, { excludedOwners, excludesFailing }: ClaimOptions) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhooks.id as webhookId', 'webhook_deliveries.id as deliveryId'])
    .where(isWaiting)
    .where('webhook_deliveries.due_at', '<=', dbNow(db))
    .where('webhooks.enabled', '=', 1)
    .where('webhooks.busy_until', '<=', dbNow(db))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user_access')
            .select('user_access.user_id')
            .whereRef('user_access.user_id', '=', 'webhooks.user_id')
            .where('blocked_at', 'is not', null),
        ),
      ),
    )
    .$if(excludedOwners.length > 0, (query) =>
      query.where(({ eb, or, not }) =>
        or([
          eb('webhooks.user_id', 'is', null),
          not(isOneOf(db, 'webhooks.user_id', excludedOwners, 'text')),
        ]),
      ),
    )
    .$if(excludesFailing, (query) => query.where('webhooks.failing_since', 'is', null))
    .limit(1)
}

/** Claims the due delivery of the webhook that has waited for the longest time; null if none is due. */
export async function claimDelivery(db: Database, options: ClaimOptions) {
  // Without a transaction, which on SQLite would wait for other writers.
  if (!(await hasRows(selectDue(db, options)))) return null
  return inTransaction(db, async (transaction) => {
    const due = await selectDue(transaction, options)
      .orderBy('webhooks.attempted_at')
      .orderBy('webhook_deliveries.due_at')
      .orderBy('webhook_deliveries.seq')
      .$if(dialectOf(db) === 'postgres', (query) =>
        query.forNoKeyUpdate(['webhooks', 'webhook_deliveries']).skipLocked(),
      )
      .executeTakeFirst()
    if (!due) return null
    const webhook = await transaction
      .updateTable('webhooks')
      .set((eb) => ({ attempted_at: dbNow(db), busy_until: eb(dbNow(db), '+', options.leaseMs) }))
      .where('id', '=', due.webhookId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const delivery = await transaction
      .updateTable('webhook_deliveries')
      .set((eb) => ({ attempted_at: options.now, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', due.deliveryId)
      .returningAll()
      .executeTakeFirstOrThrow()
    return { webhook, delivery }
  })
}

export interface Attempt {
  /** Status of the response; null without one. */
  readonly status: number | null
  /** Null if it succeeded. */
  readonly failure: WebhookFailure | null
  readonly durationMs: number
  /** Time in which the endpoint asks for no further requests; 0 for none. */
  readonly pauseMs: number
}

/**
 * Records an attempt, and schedules the next one if it failed. Releases the webhook. If the attempt disables it, its owner gets
 * a mail: the user, or the administrators.
 *
 * @returns the reason for which the webhook was disabled; null if it was not
 */
export function recordAttempt(
  services: UserServices & { readonly sendsMail: boolean },
  { webhook, delivery }: ClaimedDelivery,
  { status, failure, durationMs, pauseMs }: Attempt,
): Promise<WebhookDisabledReason | null> {
  const { db, now } = services
  return inTransaction(db, async (transaction) => {
    const endedAt = now()
    const isTest = delivery.type === 'webhook.test'
    const delayMs = isTest ? undefined : retryDelaysMs[delivery.attempts - 1]
    const state = failure === null ? 'succeeded' : delayMs === undefined ? 'failed' : 'waiting'
    const current = await transaction
      .updateTable('webhooks')
      .set((eb) => ({
        // Unless another process has claimed it since.
        busy_until: eb
          .case()
          .when('busy_until', '=', webhook.busy_until)
          .then(pauseMs === 0 ? eb.val(0) : eb(dbNow(db), '+', pauseMs))
          .else(eb.ref('busy_until'))
          .end(),
        ...(failure === null && { failing_since: null }),
        ...(failure !== null &&
          !isTest && { failing_since: eb.fn.coalesce('failing_since', eb.val(endedAt)) }),
      }))
      .where('id', '=', webhook.id)
      .returning(['enabled', 'failing_since'])
      .executeTakeFirst()
    await transaction
      .updateTable('webhook_deliveries')
      .set((eb) => ({
        state,
        status,
        failure,
        duration_ms: durationMs,
        ...(delayMs !== undefined && {
          due_at: eb(dbNow(db), '+', Math.max(pauseMs, Math.round(delayMs * (1 + Math.random() * jitter)))),
        }),
      }))
      .where('id', '=', delivery.id)
      // Unless it was queued again, or attempted by another process.
      .where('attempts', '=', delivery.attempts)
      .where(isWaiting)
      .execute()
    // Not with the first free place: events would be dropped, and logged, again and again.
    if (
      webhook.dropped_at !== null &&
      (await countWaiting(transaction, webhook.id)) <= waitingDeliveriesMax / 2
    ) {
      await transaction
        .updateTable('webhooks')
        .set({ dropped_at: null })
        .where('id', '=', webhook.id)
        .execute()
    }
    if (!current || current.enabled === 0 || failure === null) return null
    const isFailing = current.failing_since !== null && current.failing_since <= endedAt - failingMs
    const disabled = status === 410 ? 'gone' : isFailing ? 'failing' : null
    if (disabled === null) return null
    await disableWebhook(transaction, webhook.id, disabled)
    await mailWebhookOwner(services, transaction, webhook, disabled)
    return disabled
  })
}

/** Leaves a claimed delivery, which may have been sent, to the next process. */
export async function releaseDelivery(db: Database, { webhook }: ClaimedDelivery): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ busy_until: 0 })
    .where('id', '=', webhook.id)
    .where('busy_until', '=', webhook.busy_until)
    .execute()
}

/** Delays a claimed delivery that could not be sent for a reason of this server. The attempt does not count. */
export async function postponeDelivery(db: Database, { webhook, delivery }: ClaimedDelivery): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), due_at: eb(dbNow(db), '+', minuteMs) }))
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempts)
    .execute()
  await releaseDelivery(db, { webhook, delivery })
}

/** Disables a webhook, and fails the deliveries that wait. @param reason null if its owner disables it */
export async function disableWebhook(
  transaction: Database,
  webhookId: string,
  reason: WebhookDisabledReason | null,
): Promise<void> {
  await transaction
    .updateTable('webhooks')
    .set({ enabled: 0, disabled_reason: reason })
    .where('id', '=', webhookId)
    .execute()
  await transaction
    .updateTable('webhook_deliveries')
    .set((eb) => ({ state: 'failed', failure: eb.fn.coalesce('failure', eb.val('disabled' as const)) }))
    .where('webhook_id', '=', webhookId)
    .where(isWaiting)
    .execute()
}

/**
 * Queues a delivery that has ended again, by the same id. One that waits becomes due now, or at the end of the pause of its
 * webhook, unless it is due before.
 */
export async function hastenDelivery(
  transaction: Database,
  delivery: DeliveryRow,
  { busy_until: busyUntil }: Pick<WebhookRow, 'busy_until'>,
): Promise<DeliveryRow> {
  const clock = transaction.selectNoFrom(dbNow(transaction).as('now'))
  const { now } = await clock.executeTakeFirstOrThrow()
  const hastened = await transaction
    .updateTable('webhook_deliveries')
    .set(
      delivery.state === 'waiting'
        ? { due_at: Math.min(delivery.due_at, Math.max(now, busyUntil)) }
        : { state: 'waiting', attempts: 0, due_at: now },
    )
    .where('id', '=', delivery.id)
    .where('state', '=', delivery.state)
    .returningAll()
    .executeTakeFirst()
  return hastened ?? delivery
}

export function countDeliveries(db: Database): Promise<number> {
  return countRows(db.selectFrom('webhook_deliveries').where(isWaiting))
}

/**
 * Removes deliveries that are older than `deliveryLogDays`, and all but the newest of each webhook that ended.
 *
 * @returns number of the removed ones
 */
export async function pruneDeliveries(db: Database, now: number): Promise<number> {
  const deleted = db.deleteFrom('webhook_deliveries')
  const removals = [deleted.where('created_at', '<', now - deliveryLogDays * msPerDay)]
  for (const { id } of await db.selectFrom('webhooks').select('id').execute()) {
    const own = db.selectFrom('webhook_deliveries').select('seq').where('webhook_id', '=', id)
    const last = own.orderBy('seq', 'desc').offset(logLength).limit(1)
    const ended = deleted.where('webhook_id', '=', id).where('state', '<>', 'waiting')
    removals.push(ended.where('seq', '<=', last))
  }
  return deleteRows(removals)
}
