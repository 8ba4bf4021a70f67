import type { WebhookEvent } from '../../shared/webhooks.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageLinks } from '../images/image-links.ts'
import { isoTime } from '../text/iso-time.ts'
import { formerSecretsOf, type DeliveryRow, type WebhookRow } from './delivery-queue.ts'
import type { PinUrl } from '../network/pin-url.ts'
import { composePayloads, countWaiting } from './webhook-events.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface WebhookServices extends AdministrationServices, UserServices {
  readonly pinUrl: PinUrl
  readonly config: { readonly publicOrigin: string | null }
  readonly imageLinks: ImageLinks
}

/** Selects the webhooks of an owner. @param ownerId null for those of the site */
export function selectWebhooks(db: Database, ownerId: string | null) {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('user_id', ownerId === null ? 'is' : '=', ownerId)
}

/** Lists the webhooks of an owner, newest first. */
export async function listWebhooks(services: Pick<WebhookServices, 'db' | 'now'>, ownerId: string | null) {
  const rows = await selectWebhooks(services.db, ownerId).orderBy('seq', 'desc').execute()
  const webhooks = []
  for (const row of rows) webhooks.push(await toWebhook(services, services.db, row))
  return webhooks
}

/** Describes a webhook without its secret. Times are ISO 8601, UTC. */
export async function toWebhook({ now }: Pick<WebhookServices, 'now'>, db: Database, row: WebhookRow) {
  const last = await db
    .selectFrom('webhook_deliveries')
    .select(['state', 'status', 'failure', 'attempted_at as lastAttemptAt'])
    .where('webhook_id', '=', row.id)
    .where('attempted_at', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as WebhookEvent[],
    isEnabled: row.enabled === 1,
    /** Null if it is enabled, and if its owner disabled it. */
    disabledReason: row.disabled_reason,
    /** Time of the first failed attempt since the last successful one; null if the last one succeeded. */
    failingSince: isoTime(row.failing_since),
    /** End of the time in which a former secret signs, too; null if none does. */
    formerSecretUntil: isoTime(formerSecretsOf(row, now()).at(-1)?.until ?? null),
    waiting: await countWaiting(db, row.id),
    /** Time since which events are dropped, as `waitingDeliveriesMax` deliveries waited; null once half of them are gone. */
    droppedAt: isoTime(row.dropped_at),
    /** The delivery that was attempted last; null before the first. */
    lastDelivery: last ? { ...last, lastAttemptAt: isoTime(last.lastAttemptAt) } : null,
    createdAt: isoTime(row.created_at),
  }
}

/** Describes deliveries to webhooks of an owner, with what they send now. Times are ISO 8601, UTC. */
export async function describeDeliveries(
  { db, config, imageLinks }: Pick<WebhookServices, 'db' | 'config' | 'imageLinks'>,
  ownerId: string | null,
  rows: readonly DeliveryRow[],
) {
  const payloads = await composePayloads({ db, publicOrigin: config.publicOrigin, imageLinks }, ownerId, rows)
  return rows.flatMap((row, index) => {
    const payload = payloads[index]
    if (!payload) return []
    return {
      /** The `webhook-id` of its requests. */
      id: row.id,
      type: row.type,
      state: row.state,
      attempts: row.attempts,
      /** Status of the response to the latest attempt; null without one. */
      status: row.status,
      /** Null if the latest attempt succeeded, and before the first. */
      failure: row.failure,
      createdAt: isoTime(row.created_at),
      /** Null before the first attempt. */
      lastAttemptAt: isoTime(row.attempted_at),
      nextAttemptAt: row.state === 'waiting' ? isoTime(row.due_at) : null,
      /** Duration of the latest attempt; null before the first. */
      durationMs: row.duration_ms,
      payload,
    }
  })
}
