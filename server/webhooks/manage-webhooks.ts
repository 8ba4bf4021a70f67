import { randomBytes, randomUUID } from 'node:crypto'
import type { AdminAction } from '../../shared/admin.ts'
import type { Viewer } from '../../shared/viewer.ts'
import {
  formerSecretHours,
  waitingDeliveriesMax,
  webhooksMax,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryPage,
  type WebhookEvent,
  type WebhookWithSecret,
} from '../../shared/webhooks.ts'
import { recordAdminAction } from '../audit/admin-log.ts'
import type { Database } from '../db/open-database.ts'
import { decodeCursor, encodeCursor } from '../db/pagination.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { ImageLinks } from '../images/image-links.ts'
import { AddressError } from '../network/addresses.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { lockAsAdministrator, type AdministrationServices } from '../access/user-directory.ts'
import { isoTime } from '../text/iso-time.ts'
import {
  disableWebhook,
  formerSecretsOf,
  hastenDelivery,
  requeueDelivery,
  type DeliveryRow,
  type WebhookRow,
} from './delivery-queue.ts'
import { composePayloads, countWaiting, insertDelivery } from './webhook-events.ts'
import type { WebhookAddresses } from './webhook-addresses.ts'

export interface WebhookServices extends AdministrationServices {
  readonly db: Database
  readonly now: () => number
  readonly webhookAddresses: WebhookAddresses
  readonly config: { readonly publicOrigin: string | null }
  readonly imageLinks: ImageLinks
}

/** A user who manages webhooks, and their owner. */
export interface WebhookManager {
  readonly viewer: Viewer
  /** Owner of the webhooks: the viewer, or null for those of the site. */
  readonly ownerId: string | null
}

/** Bytes of the key of a secret; the specification of Standard Webhooks recommends 24 to 64. */
const keyBytes = 32

const hourMs = 60 * 60 * 1_000

/** `Retry-After` while DNS fails. */
const dnsRetrySeconds = 10

/** Maximum number of former secrets that sign, whose signatures all are in one header. */
const formerSecretsMax = 50

/**
 * Runs work in a transaction.
 *
 * @throws AppError `not_signed_in` once the account is deleted; `forbidden` for webhooks of the site once the role is lost
 */
function inManagersTransaction<Result>(
  services: WebhookServices,
  { viewer, ownerId }: WebhookManager,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  if (ownerId !== null) return inTransactionOf(services, viewer, work)
  return inTransaction(services.db, async (transaction) => {
    await lockAsAdministrator(services, transaction, viewer)
    return work(transaction)
  })
}

/** Lists the webhooks of an owner, newest first. */
export async function listWebhooks(
  services: Pick<WebhookServices, 'db' | 'now'>,
  ownerId: string | null,
): Promise<readonly Webhook[]> {
  const rows = await selectOwn(services.db, ownerId).orderBy('seq', 'desc').execute()
  const webhooks: Webhook[] = []
  for (const row of rows) webhooks.push(await toWebhook(services, services.db, row))
  return webhooks
}

/**
 * Creates a webhook. The answer is the only one that contains its secret.
 *
 * @throws AppError `bad_input` for a URL that is not allowed, or too many webhooks; `not_signed_in` once the account is deleted
 */
export async function createWebhook(
  services: WebhookServices,
  manager: WebhookManager,
  { url, events }: { readonly url: URL; readonly events: readonly WebhookEvent[] },
): Promise<WebhookWithSecret> {
  await requireAllowed(services, url)
  const secret = createSecret()
  return inManagersTransaction(services, manager, async (transaction) => {
    if ((await selectOwn(transaction, manager.ownerId).execute()).length >= webhooksMax) {
      throw new AppError('bad_input', describedDetail('webhooks_max', { max: webhooksMax }))
    }
    const row = await transaction
      .insertInto('webhooks')
      .values({
        id: randomUUID(),
        user_id: manager.ownerId,
        url: url.href,
        events: JSON.stringify(events),
        secret,
        created_at: services.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await record(services, transaction, manager, 'create_webhook', row)
    return { ...(await toWebhook(services, transaction, row)), secret }
  })
}

interface WebhookChanges {
  readonly id: string
  readonly url?: URL | undefined
  readonly events?: readonly WebhookEvent[] | undefined
  readonly isEnabled?: boolean | undefined
}

/**
 * Changes a webhook. Disabling it fails the deliveries that wait.
 *
 * @throws AppError `not_found`; `bad_input` for a URL that is not allowed
 */
export async function updateWebhook(
  services: WebhookServices,
  manager: WebhookManager,
  { id, url, events, isEnabled }: WebhookChanges,
): Promise<Webhook> {
  if (url) await requireAllowed(services, url)
  return inManagersTransaction(services, manager, async (transaction) => {
    const before = await findOwn(transaction, manager, id)
    if (isEnabled === false && before.enabled === 1) await disableWebhook(transaction, id, null)
    const row = await transaction
      .updateTable('webhooks')
      .set({
        url: url?.href ?? before.url,
        events: events ? JSON.stringify(events) : before.events,
        ...(isEnabled === true &&
          before.enabled === 0 && {
            enabled: 1,
            disabled_reason: null,
            failing_since: null,
            dropped_at: null,
          }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await record(services, transaction, manager, 'change_webhook', row)
    return toWebhook(services, transaction, row)
  })
}

/** Deletes a webhook with its deliveries. @throws AppError `not_found` */
export function deleteWebhook(
  services: WebhookServices,
  manager: WebhookManager,
  { id }: { readonly id: string },
): Promise<{ id: string }> {
  return inManagersTransaction(services, manager, async (transaction) => {
    const row = await findOwn(transaction, manager, id)
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute()
    await record(services, transaction, manager, 'delete_webhook', row)
    return { id }
  })
}

/**
 * Gives a webhook a new secret. The former ones sign, too, for a day each. The answer is the only one that contains the new one.
 *
 * @throws AppError `not_found`
 */
export function rotateSecret(
  services: WebhookServices,
  manager: WebhookManager,
  { id }: { readonly id: string },
): Promise<WebhookWithSecret> {
  const secret = createSecret()
  return inManagersTransaction(services, manager, async (transaction) => {
    const before = await findOwn(transaction, manager, id)
    const now = services.now()
    const former = [
      ...formerSecretsOf(before, now),
      { secret: before.secret, until: now + formerSecretHours * hourMs },
    ].slice(-formerSecretsMax)
    const row = await transaction
      .updateTable('webhooks')
      .set({ secret, former_secrets: JSON.stringify(former) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await record(services, transaction, manager, 'rotate_webhook_secret', row)
    return { ...(await toWebhook(services, transaction, row)), secret }
  })
}

/** Queues a test of a webhook. @throws AppError `not_found`; `bad_input` if it is disabled, or too many deliveries wait */
export async function sendTest(
  services: WebhookServices,
  manager: WebhookManager,
  { id }: { readonly id: string },
): Promise<WebhookDelivery> {
  const delivery = await inManagersTransaction(services, manager, async (transaction) => {
    requireEnabled(await findOwn(transaction, manager, id))
    if ((await countWaiting(transaction, id)) >= waitingDeliveriesMax) throw tooManyWaiting()
    return insertDelivery(transaction, {
      webhookId: id,
      userId: manager.ownerId,
      type: 'webhook.test',
      data: { webhookId: id },
      createdAt: services.now(),
    })
  })
  return describeDelivery(services, manager, delivery)
}

/**
 * Lists the deliveries of a webhook, newest first.
 *
 * @throws AppError `not_found`; `bad_input` for a cursor that this did not return
 */
export async function listDeliveries(
  services: WebhookServices,
  manager: WebhookManager,
  {
    id,
    cursor,
    limit,
  }: { readonly id: string; readonly cursor?: string | undefined; readonly limit: number },
): Promise<WebhookDeliveryPage> {
  const { db } = services
  await findOwn(db, manager, id)
  const before = cursor === undefined ? null : decodeCursor('delivery', cursor)
  const rows = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', id)
    .$if(before !== null, (query) => query.where('seq', '<', before))
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    deliveries: await describeDeliveries(services, manager, page),
    nextCursor: last && rows.length > limit ? encodeCursor('delivery', last.seq) : null,
  }
}

/**
 * Queues a delivery that has ended once more, by the same id, and makes one that waits due.
 *
 * @throws AppError `not_found`; `bad_input` if the webhook is disabled, or too many deliveries wait
 */
export async function redeliver(
  services: WebhookServices,
  manager: WebhookManager,
  { deliveryId }: { readonly deliveryId: string },
): Promise<WebhookDelivery> {
  const delivery = await inManagersTransaction(services, manager, async (transaction) => {
    const row = await transaction
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', deliveryId)
      .executeTakeFirst()
    if (!row) throw deliveryNotFound()
    const webhook = await selectOwn(transaction, manager.ownerId)
      .where('id', '=', row.webhook_id)
      .executeTakeFirst()
    if (!webhook) throw deliveryNotFound()
    requireEnabled(webhook)
    if (row.state === 'waiting') return hastenDelivery(transaction, row, webhook)
    const queued = await requeueDelivery(transaction, row)
    if (!queued) throw tooManyWaiting()
    return queued
  })
  return describeDelivery(services, manager, delivery)
}

/** Records a change of a webhook of the site. Only its host, as the rest of a URL may be a secret. */
async function record(
  { now }: WebhookServices,
  transaction: Database,
  { viewer, ownerId }: WebhookManager,
  action: Extract<AdminAction, `${string}_webhook` | `${string}_webhook_secret`>,
  { url }: Pick<WebhookRow, 'url'>,
): Promise<void> {
  if (ownerId !== null) return
  const details = { host: new URL(url).host }
  await recordAdminAction(transaction, viewer, { action, details, now: now() })
}

function selectOwn(db: Database, ownerId: string | null) {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('user_id', ownerId === null ? 'is' : '=', ownerId)
}

async function findOwn(db: Database, { ownerId }: WebhookManager, id: string): Promise<WebhookRow> {
  const row = await selectOwn(db, ownerId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found', describedDetail('webhook_not_found'))
  return row
}

function requireEnabled({ enabled }: WebhookRow): void {
  if (enabled === 0) throw new AppError('bad_input', describedDetail('webhook_disabled'))
}

function deliveryNotFound(): AppError {
  return new AppError('not_found', describedDetail('webhook_delivery_not_found'))
}

function tooManyWaiting(): AppError {
  return new AppError('bad_input', describedDetail('webhook_deliveries_max', { max: waitingDeliveriesMax }))
}

/** @throws AppError `bad_input`; `busy` if DNS fails */
async function requireAllowed({ webhookAddresses }: WebhookServices, url: URL): Promise<void> {
  try {
    await webhookAddresses.pin(url)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const { hostname: host, protocol } = url
    if (error.reason === 'unknown')
      throw new AppError('bad_input', describedDetail('webhook_host_unknown', { host }))
    if (error.reason === 'unresolved') {
      throw new AppError('busy', describedDetail('webhook_host_unresolved', { host }), {
        cause: error,
        retryAfter: dnsRetrySeconds,
      })
    }
    throw new AppError(
      'bad_input',
      protocol === 'https:'
        ? describedDetail('webhook_address_not_allowed', { host })
        : describedDetail('webhook_https_required'),
    )
  }
}

function createSecret(): string {
  return `whsec_${randomBytes(keyBytes).toString('base64')}`
}

async function toWebhook(
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

async function describeDelivery(
  services: WebhookServices,
  manager: WebhookManager,
  row: DeliveryRow,
): Promise<WebhookDelivery> {
  const [delivery] = await describeDeliveries(services, manager, [row])
  if (!delivery) throw deliveryNotFound()
  return delivery
}

async function describeDeliveries(
  { db, config, imageLinks }: WebhookServices,
  { ownerId }: WebhookManager,
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
