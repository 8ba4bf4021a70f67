import { z } from 'zod'
import { webhookEvents, webhookUrlMaxLength } from '../../shared/webhooks.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { describedDetail } from '../errors/app-error.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, id, notAnObject, page } from '../procedures/inputs.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateSecret,
  sendTest,
  updateWebhook,
  type WebhookManager,
  type WebhookServices,
} from './manage-webhooks.ts'

const { administratorProcedure, router, signedInBy } = proceduresWith<WebhookServices>()

const url = z.string('`url` must be a string.').transform((value, context) => {
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

const createInput = z.object({ url, events }, notAnObject)

const updateInput = z.object(
  {
    id,
    url: url.optional(),
    events: events.optional(),
    isEnabled: z.boolean('`isEnabled` must be true or false.').optional(),
  },
  notAnObject,
)

const deliveriesInput = z.object({ id, ...page }, notAnObject)

const redeliverInput = z.object({ deliveryId: id }, notAnObject)

/** Creates the procedures for webhooks of an owner. */
function webhookProcedures(
  procedure: typeof administratorProcedure,
  managerOf: (viewer: Viewer) => WebhookManager,
) {
  return router({
    /** The webhooks, newest first, without their secrets. */
    list: procedure.query(({ ctx }) => listWebhooks(ctx.services, managerOf(ctx.viewer).ownerId)),

    /** Creates a webhook. The answer contains its secret, which can't be shown again. */
    create: procedure
      .input(createInput)
      .mutation(({ ctx, input }) => createWebhook(ctx.services, managerOf(ctx.viewer), input)),

    /** Changes some of the fields of a webhook. */
    update: procedure
      .input(updateInput)
      .mutation(({ ctx, input }) => updateWebhook(ctx.services, managerOf(ctx.viewer), input)),

    delete: procedure
      .input(byId)
      .mutation(({ ctx, input }) => deleteWebhook(ctx.services, managerOf(ctx.viewer), input)),

    /** Replaces the secret. The answer contains the new one; the former one signs, too, for a day. */
    rotateSecret: procedure
      .input(byId)
      .mutation(({ ctx, input }) => rotateSecret(ctx.services, managerOf(ctx.viewer), input)),

    /** Queues a delivery of the type `webhook.test`. */
    sendTest: procedure
      .input(byId)
      .mutation(({ ctx, input }) => sendTest(ctx.services, managerOf(ctx.viewer), input)),

    /** The deliveries of a webhook, newest first. */
    deliveries: procedure
      .input(deliveriesInput)
      .query(({ ctx, input }) => listDeliveries(ctx.services, managerOf(ctx.viewer), input)),

    /** Queues a delivery that has ended once more. */
    redeliver: procedure
      .input(redeliverInput)
      .mutation(({ ctx, input }) => redeliver(ctx.services, managerOf(ctx.viewer), input)),
  })
}

/** Webhooks of the caller, about their own images and posts. */
export const ownWebhooksRouter = webhookProcedures(signedInBy('session'), (viewer) => ({
  viewer,
  ownerId: viewer.id,
}))

/** Webhooks of the site, about the images and posts of all users. */
export const siteWebhooksRouter = webhookProcedures(administratorProcedure, (viewer) => ({
  viewer,
  ownerId: null,
}))
