import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AdminAction } from '../../shared/admin.ts'
import type { Viewer } from '../../shared/viewer.ts'
import {
  formerSecretHours,
  waitingDeliveriesMax,
  webhookEvents,
  webhooksMax,
  webhookUrlMaxLength,
} from '../../shared/webhooks.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { asAdministrator, recordAdminAction } from '../audit/admin-log.ts'
import type { Database } from '../db/open-database.ts'
import { decodeCursor, encodeCursor, pageOf } from '../db/pagination.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { AddressError } from '../network/addresses.ts'
import { byId, id, page } from '../procedures/inputs.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { disableWebhook, formerSecretsOf, hastenDelivery } from './delivery-queue.ts'
import type { DeliveryRow, WebhookRow } from './delivery-queue.ts'
import {
  describeDeliveries,
  listWebhooks,
  selectWebhooks,
  toWebhook,
  type WebhookServices,
} from './stored-webhooks.ts'
import { countWaiting, insertDelivery } from './webhook-events.ts'

const { administratorProcedure, router, signedInBy } = proceduresWith<WebhookServices>()

/** Bytes of the key of a secret; the specification of Standard Webhooks recommends 24 to 64. */
const keyBytes = 32

/** `Retry-After` while DNS fails. */
const dnsRetrySeconds = 10

/** Maximum number of former secrets that sign, whose signatures all are in one header. */
const formerSecretsMax = 50

const url = z.string().transform((value, context) => {
  const parsed = URL.canParse(value) && value.length <= webhookUrlMaxLength ? new URL(value) : null
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '') {
    parsed.hash = ''
    return parsed
  }
  const { message, detail } = describedDetail('webhook_url', { max: webhookUrlMaxLength })
  context.addIssue({ code: 'custom', message, params: { detail } })
  return z.NEVER
})

const eventsSentence = `The events must be a list of one or more of: ${webhookEvents.join(', ')}.`

const events = z
  .array(z.enum(webhookEvents, eventsSentence), eventsSentence)
  .min(1, eventsSentence)
  .max(100, eventsSentence)
  .transform((list) => webhookEvents.filter((event) => list.includes(event)))

const updateInput = z.object({
  id,
  url: url.optional(),
  events: events.optional(),
  isEnabled: z.boolean('`isEnabled` must be true or false.').optional(),
})

/** Webhooks of one owner, as a user manages them. @param ownerId the viewer, or null for webhooks of the site */
function ownWebhooks(services: WebhookServices, viewer: Viewer, ownerId: string | null) {
  const own = {
    services,
    ownerId,

    /**
     * Runs work in a transaction.
     *
     * @throws AppError `not_signed_in` once the account is deleted; `forbidden` for webhooks of the site once the role is lost
     */
    change: <Result>(work: (transaction: Database) => Promise<Result>): Promise<Result> =>
      ownerId === null ? asAdministrator(services, viewer, work) : inTransactionOf(services, viewer, work),

    /** @throws AppError `not_found` */
    async find(db: Database, webhookId: string): Promise<WebhookRow> {
      const row = await selectWebhooks(db, ownerId).where('id', '=', webhookId).executeTakeFirst()
      if (!row) throw new AppError('not_found', describedDetail('webhook_not_found'))
      return row
    },

    /** Finds a webhook that sends. @throws AppError `not_found`, `bad_input` if it is disabled */
    async findEnabled(db: Database, webhookId: string): Promise<WebhookRow> {
      const row = await own.find(db, webhookId)
      if (row.enabled === 0) throw new AppError('bad_input', describedDetail('webhook_disabled'))
      return row
    },

    /** Changes columns of a webhook, and records it. */
    async update(
      transaction: Database,
      action: 'change_webhook' | 'rotate_webhook_secret',
      { id: webhookId, ...columns }: Partial<WebhookRow> & Pick<WebhookRow, 'id'>,
    ) {
      const changed = transaction.updateTable('webhooks').set(columns).where('id', '=', webhookId)
      const row = await changed.returningAll().executeTakeFirstOrThrow()
      await own.record(transaction, action, row)
      return toWebhook(services, transaction, row)
    },

    /** Records a change of a webhook of the site. Only its host, as the rest of a URL may be a secret. */
    async record(
      transaction: Database,
      action: Extract<AdminAction, `${string}_webhook` | `${string}_webhook_secret`>,
      row: Pick<WebhookRow, 'url'>,
    ): Promise<void> {
      if (ownerId !== null) return
      const details = { host: new URL(row.url).host }
      await recordAdminAction(transaction, viewer, { action, details, now: services.now() })
    },

    /** Describes a delivery, with what it sends now. */
    async describe(row: DeliveryRow) {
      const [delivery] = await describeDeliveries(services, ownerId, [row])
      return delivery ?? deliveryNotFound()
    },
  }
  return own
}

function deliveryNotFound(): never {
  throw new AppError('not_found', describedDetail('webhook_delivery_not_found'))
}

/** @throws AppError `bad_input` if too many deliveries of a webhook wait */
async function requireRoom(transaction: Database, webhookId: string): Promise<void> {
  if ((await countWaiting(transaction, webhookId)) < waitingDeliveriesMax) return
  throw new AppError('bad_input', describedDetail('webhook_deliveries_max', { max: waitingDeliveriesMax }))
}

/** @throws AppError `bad_input`; `busy` if DNS fails */
async function requireAllowed({ pinUrl }: WebhookServices, target: URL): Promise<void> {
  try {
    await pinUrl(target)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const { hostname: host, protocol } = target
    if (error.reason === 'unresolved') {
      const detail = describedDetail('webhook_host_unresolved', { host })
      throw new AppError('busy', detail, { cause: error, retryAfter: dnsRetrySeconds })
    }
    if (error.reason === 'unknown') {
      throw new AppError('bad_input', describedDetail('webhook_host_unknown', { host }))
    }
    throw new AppError(
      'bad_input',
      protocol === 'https:'
        ? describedDetail('webhook_address_not_allowed', { host })
        : describedDetail('webhook_https_required'),
    )
  }
}

/** Creates the key of signatures, in base64 after `whsec_`. */
function createSecret(): string {
  return `whsec_${randomBytes(keyBytes).toString('base64')}`
}

function webhookProcedures(base: typeof administratorProcedure, ownerOf: (viewer: Viewer) => string | null) {
  const procedure = base.use(({ ctx, next }) =>
    next({ ctx: { own: ownWebhooks(ctx.services, ctx.viewer, ownerOf(ctx.viewer)) } }),
  )
  return router({
    /** The webhooks, newest first, without their secrets. */
    list: procedure.query(({ ctx: { own } }) => listWebhooks(own.services, own.ownerId)),

    /** Creates a webhook. The answer contains its secret, which can't be shown again. */
    create: procedure.input(z.object({ url, events })).mutation(async ({ ctx: { own }, input }) => {
      await requireAllowed(own.services, input.url)
      const secret = createSecret()
      return own.change(async (transaction) => {
        if ((await selectWebhooks(transaction, own.ownerId).execute()).length >= webhooksMax) {
          throw new AppError('bad_input', describedDetail('webhooks_max', { max: webhooksMax }))
        }
        const row = await transaction
          .insertInto('webhooks')
          .values({
            id: randomUUID(),
            user_id: own.ownerId,
            url: input.url.href,
            events: JSON.stringify(input.events),
            secret,
            created_at: own.services.now(),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await own.record(transaction, 'create_webhook', row)
        return { ...(await toWebhook(own.services, transaction, row)), secret }
      })
    }),

    /** Changes some of the fields of a webhook. Disabling it fails the deliveries that wait. */
    update: procedure.input(updateInput).mutation(async ({ ctx: { own }, input }) => {
      if (input.url) await requireAllowed(own.services, input.url)
      return own.change(async (transaction) => {
        const before = await own.find(transaction, input.id)
        const isEnabled = before.enabled === 1
        if (input.isEnabled === false && isEnabled) await disableWebhook(transaction, input.id, null)
        return own.update(transaction, 'change_webhook', {
          id: input.id,
          url: input.url?.href ?? before.url,
          events: input.events ? JSON.stringify(input.events) : before.events,
          ...(input.isEnabled === true &&
            !isEnabled && { enabled: 1, disabled_reason: null, failing_since: null, dropped_at: null }),
        })
      })
    }),

    /** Deletes a webhook with its deliveries. */
    delete: procedure.input(byId).mutation(({ ctx: { own }, input }) =>
      own.change(async (transaction) => {
        const row = await own.find(transaction, input.id)
        await transaction.deleteFrom('webhooks').where('id', '=', input.id).execute()
        await own.record(transaction, 'delete_webhook', row)
        return { id: input.id }
      }),
    ),

    /** Replaces the secret. The answer contains the new one; the former ones sign, too, for a day each. */
    rotateSecret: procedure.input(byId).mutation(({ ctx: { own }, input }) => {
      const secret = createSecret()
      return own.change(async (transaction) => {
        const before = await own.find(transaction, input.id)
        const now = own.services.now()
        const former = [
          ...formerSecretsOf(before, now),
          { secret: before.secret, until: now + formerSecretHours * 60 * 60 * 1_000 },
        ].slice(-formerSecretsMax)
        const columns = { id: input.id, secret, former_secrets: JSON.stringify(former) }
        return { ...(await own.update(transaction, 'rotate_webhook_secret', columns)), secret }
      })
    }),

    /** Queues a delivery of the type `webhook.test`. */
    sendTest: procedure.input(byId).mutation(async ({ ctx: { own }, input: { id: webhookId } }) =>
      own.describe(
        await own.change(async (transaction) => {
          await own.findEnabled(transaction, webhookId)
          await requireRoom(transaction, webhookId)
          return insertDelivery(transaction, {
            webhookId,
            userId: own.ownerId,
            type: 'webhook.test',
            data: { webhookId },
            createdAt: own.services.now(),
          })
        }),
      ),
    ),

    /** The deliveries of a webhook, newest first. */
    deliveries: procedure.input(z.object({ id, ...page })).query(async ({ ctx: { own }, input }) => {
      const { db } = own.services
      await own.find(db, input.id)
      const before = input.cursor === undefined ? null : decodeCursor('delivery', input.cursor)
      const rows = await db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_id', '=', input.id)
        .$if(before !== null, (query) => query.where('seq', '<', before))
        .orderBy('seq', 'desc')
        .limit(input.limit + 1)
        .execute()
      const { page: shown, nextCursor } = pageOf(rows, input.limit, ({ seq }) =>
        encodeCursor('delivery', seq),
      )
      return { deliveries: await describeDeliveries(own.services, own.ownerId, shown), nextCursor }
    }),

    /** Queues a delivery that has ended once more, by the same id, and makes one that waits due. */
    redeliver: procedure.input(z.object({ deliveryId: id })).mutation(async ({ ctx: { own }, input }) =>
      own.describe(
        await own.change(async (transaction) => {
          const row = await transaction
            .selectFrom('webhook_deliveries')
            .innerJoin(selectWebhooks(transaction, own.ownerId).as('own'), 'own.id', 'webhook_id')
            .selectAll('webhook_deliveries')
            .where('webhook_deliveries.id', '=', input.deliveryId)
            .executeTakeFirst()
          if (!row) return deliveryNotFound()
          const webhook = await own.findEnabled(transaction, row.webhook_id)
          if (row.state !== 'waiting') await requireRoom(transaction, row.webhook_id)
          return hastenDelivery(transaction, row, webhook)
        }),
      ),
    ),
  })
}

/** Webhooks of the caller, about their own images and posts. */
export const ownWebhooksRouter = webhookProcedures(signedInBy('session'), ({ id: ownerId }) => ownerId)

/** Webhooks of the site, about the images and posts of all users. */
export const siteWebhooksRouter = webhookProcedures(administratorProcedure, () => null)
