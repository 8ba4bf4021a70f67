import { pushSubscriptionsMax } from '../../shared/notifications.ts'
import { inTransactionOf, type UserServices } from '../access/user-access.ts'

/** A subscription as browsers describe it. */
export interface PushSubscriptionInput {
  readonly endpoint: URL
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/**
 * Stores the subscription of a device for a user. A device has one user, and a user so many devices: others are removed.
 *
 * @throws AppError `not_signed_in` once the account is deleted
 */
export async function storePushSubscription(
  services: UserServices,
  user: { readonly id: string },
  { endpoint, keys: { p256dh, auth } }: PushSubscriptionInput,
): Promise<void> {
  await inTransactionOf(services, user, async (transaction) => {
    const now = services.now()
    const columns = { user_id: user.id, p256dh, auth, created_at: now }
    await transaction
      .insertInto('push_subscriptions')
      .values({ ...columns, endpoint: endpoint.href, pushed_until: now })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(columns))
      .execute()
    await transaction
      .deleteFrom('push_subscriptions')
      .where('user_id', '=', user.id)
      .where('seq', 'not in', (eb) =>
        eb
          .selectFrom('push_subscriptions as newer')
          .select('newer.seq')
          .where('newer.user_id', '=', user.id)
          .orderBy('newer.created_at', 'desc')
          .orderBy('newer.seq', 'desc')
          .limit(pushSubscriptionsMax),
      )
      .execute()
  })
}

/** Removes the subscription of a user's device. */
export async function removePushSubscription(
  { db }: Pick<UserServices, 'db'>,
  user: { readonly id: string },
  endpoint: string,
): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', user.id)
    .where('endpoint', '=', endpoint)
    .execute()
}
