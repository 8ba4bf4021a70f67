import type { Webhook, WebhookDelivery, WebhookEvent } from '../../shared/webhooks.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import type { Database } from '../db/open-database.ts'
import type { ImageLinks } from '../images/image-links.ts'
import { isoTime } from '../text/iso-time.ts'
import { formerSecretsOf, type DeliveryRow, type WebhookRow } from './delivery-queue.ts'
import type { PinWebhook } from './webhook-addresses.ts'
import { composePayloads, countWaiting } from './webhook-events.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface WebhookServices extends AdministrationServices, UserServices {
  readonly pinWebhook: PinWebhook
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
export async function listWebhooks(
  services: Pick<WebhookServices, 'db' | 'now'>,
  ownerId: string | null,
): Promise<readonly Webhook[]> {
  const rows = await selectWebhooks(services.db, ownerId).orderBy('seq', 'desc').execute()
  const webhooks: Webhook[] = []
  for (const row of rows) webhooks.push(await toWebhook(services, services.db, row))
  return webhooks
}

/** Describes a webhook without its secret. */
export async function toWebhook(
  { now }: Pick<WebhookServices, 'now'>,
  db: Database,
  row: WebhookRow,
): Promise<Webhook> {
  const last = await db
    .selectFrom('webhook_deliveries')
    .select(['state', 'status', 'failure', 'attempted_at'])
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
    disabledReason: row.disabled_reason,
    failingSince: isoTime(row.failing_since),
    formerSecretUntil: isoTime(formerSecretsOf(row, now()).at(-1)?.until ?? null),
    waiting: await countWaiting(db, row.id),
    droppedAt: isoTime(row.dropped_at),
    lastDelivery: last
      ? {
          state: last.state,
          status: last.status,
          failure: last.failure,
          lastAttemptAt: isoTime(last.attempted_at),
        }
      : null,
    createdAt: isoTime(row.created_at),
  }
}

/** Describes deliveries to webhooks of an owner, with what they send now. */
export async function describeDeliveries(
  { db, config, imageLinks }: Pick<WebhookServices, 'db' | 'config' | 'imageLinks'>,
  ownerId: string | null,
  rows: readonly DeliveryRow[],
): Promise<WebhookDelivery[]> {
  const payloads = await composePayloads({ db, publicOrigin: config.publicOrigin, imageLinks }, ownerId, rows)
  return rows.flatMap((row, index) => {
    const payload = payloads[index]
    if (!payload) return []
    return {
      id: row.id,
      type: row.type,
      state: row.state,
      attempts: row.attempts,
      status: row.status,
      failure: row.failure,
      createdAt: isoTime(row.created_at),
      lastAttemptAt: isoTime(row.attempted_at),
      nextAttemptAt: row.state === 'waiting' ? isoTime(row.due_at) : null,
      durationMs: row.duration_ms,
      payload,
    }
  })
}
