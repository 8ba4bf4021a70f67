import { z } from 'zod'
import { notificationKinds, pushSubscriptionsMax } from '../../shared/notifications.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { AppError } from '../errors/app-error.ts'
import { AddressError } from '../network/addresses.ts'
import { page, time } from '../procedures/inputs.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { listNotifications } from './list-notifications.ts'
import { readNotificationSettings, updateNotificationSettings } from './notification-settings.ts'
import type { NotificationServices } from './services.ts'

const { router, signedInBy, signedInProcedure } = proceduresWith<NotificationServices>()

const bySession = signedInBy('session')

const channel = z.boolean('Each channel must be true or false.')

const settingsInput = z.partialRecord(
  z.enum(notificationKinds),
  z.object({ page: channel, mail: channel, push: channel }).partial(),
  'The input must be an object of kinds.',
)

/** Longer ones do not fit into an index of PostgreSQL. */
const endpointMaxLength = 2_000

const endpointSentence = '`endpoint` must be the https URL of a push service.'

const endpoint = z.string(endpointSentence).max(endpointMaxLength, endpointSentence)

/** Creates the schema of a key of a browser. @param bytes its length */
function key(bytes: number) {
  const sentence = 'The keys must be `p256dh` and `auth` of a push subscription, in base64url.'
  return z
    .string(sentence)
    .max(128, sentence)
    .regex(/^[\w-]+={0,2}$/, sentence)
    .refine((value) => Buffer.from(value, 'base64url').length === bytes, sentence)
}

const subscription = z.object({
  endpoint: endpoint.transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null
    if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
    context.addIssue({ code: 'custom', message: endpointSentence })
    return z.NEVER
  }),
  keys: z.object({ p256dh: key(65), auth: key(16) }),
})

/**
 * Rejects addresses, and http unless the operator allows the address. The addresses of other names are checked when a push is sent, so
 * that a subscription does not wait for DNS.
 *
 * @throws AppError `bad_input`
 */
async function requirePublic({ pinUrl }: NotificationServices, url: URL): Promise<void> {
  if (url.protocol === 'https:' && /[a-z]\.?$/.test(url.hostname) && url.hostname.includes('.')) return
  await pinUrl(url).catch((error: unknown) => {
    if (!(error instanceof AddressError)) throw error
    throw new AppError('bad_input', endpointSentence)
  })
}

export const notificationsRouter = router({
  /** The notifications, newest first. Those about what the user does not see any more are left out. */
  list: signedInProcedure
    .input(z.object(page).prefault({}))
    .query(({ ctx, input }) => listNotifications(ctx.services, ctx.viewer, input)),

  /** Marks the notifications up to a time as read, on all devices. */
  markRead: signedInProcedure
    .input(z.object({ until: time('until') }))
    .mutation(async ({ ctx: { services, viewer }, input: { until } }) => {
      await inTransactionOf(services, viewer, async (transaction) => {
        const readAt = services.now()
        const columns = { read_until: Math.min(until, readAt), read_at: readAt }
        await transaction
          .insertInto('notification_settings')
          .values({ user_id: viewer.id, ...columns })
          .onConflict((conflict) =>
            conflict
              .column('user_id')
              .doUpdateSet(columns)
              .where('notification_settings.read_until', '<', columns.read_until),
          )
          .execute()
      })
    }),

  /** Which kinds reach the user where. */
  settings: bySession.query(({ ctx }) => readNotificationSettings(ctx.services.db, ctx.viewer.id)),

  /** Changes some of these settings, and returns all. */
  updateSettings: bySession
    .input(settingsInput)
    .mutation(({ ctx, input }) => updateNotificationSettings(ctx.services, ctx.viewer, input)),

  /** How the site reaches users besides its page. `pushKey`: public key with which a browser subscribes (VAPID), in base64url. */
  delivery: bySession.query(({ ctx: { services } }) => ({
    hasMail: services.sendsMail,
    pushKey: services.pushKeys.publicKey,
  })),

  /** Sends pushes to the user's device from now on. A device has one user, and a user so many devices: others are removed. */
  subscribePush: bySession
    .input(subscription)
    .mutation(async ({ ctx: { services, viewer }, input: { endpoint: url, keys } }) => {
      await requirePublic(services, url)
      await inTransactionOf(services, viewer, async (transaction) => {
        const now = services.now()
        const columns = { ...keys, user_id: viewer.id, created_at: now }
        await transaction
          .insertInto('push_subscriptions')
          .values({ ...columns, endpoint: url.href, pushed_until: now })
          .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(columns))
          .execute()
        const own = transaction
          .selectFrom('push_subscriptions')
          .select('seq')
          .where('user_id', '=', viewer.id)
        const newest = own.orderBy('created_at', 'desc').orderBy('seq', 'desc').limit(pushSubscriptionsMax)
        await transaction
          .deleteFrom('push_subscriptions')
          .where('user_id', '=', viewer.id)
          .where('seq', 'not in', newest)
          .execute()
      })
    }),

  /** Sends no further pushes to the user's device. */
  unsubscribePush: bySession
    .input(z.object({ endpoint }))
    .mutation(async ({ ctx: { services, viewer }, input }) => {
      const own = services.db.deleteFrom('push_subscriptions').where('user_id', '=', viewer.id)
      await own.where('endpoint', '=', input.endpoint).execute()
    }),
})
