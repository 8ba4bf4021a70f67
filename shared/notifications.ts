import { collectionPath, pagePaths, postPath } from './routes.ts'

/** Events that users are notified of, in the order of the settings. */
export const notificationKinds = [
  'like',
  'remix',
  'collection',
  'generation',
  'theme',
  'decision',
  'appeal',
] as const

export type NotificationKind = (typeof notificationKinds)[number]

/** Where a user is notified: on the page, by mail once a day, and by the devices that subscribed to pushes. */
export type NotificationChannel = 'page' | 'mail' | 'push'

/** Which kinds reach a user where. */
export type NotificationSettings = Readonly<
  Record<NotificationKind, Readonly<Record<NotificationChannel, boolean>>>
>

/** Days for which notifications are kept. */
export const notificationDays = 90

/** Maximum number of these of a user. */
export const notificationsMax = 1_000

/** Number from which unread notifications are not counted any further. */
export const unreadMax = 100

/** Maximum number of devices of a user that receive pushes. A further one replaces the oldest. */
export const pushSubscriptionsMax = 10

/** A notification of the signed-in user. The likes and remixes of one post and day are one. */
export interface Notification {
  readonly id: string
  readonly kind: NotificationKind
  /** Number of events. */
  readonly count: number
  /** Null if it is about something else, and once its page is gone. */
  readonly postId: string | null
  /** Null if it is about something else, and once its page is gone. */
  readonly collectionId: string | null
  /** Names of the users who caused the latest events, the last one first. Empty for decisions and generations. */
  readonly actorNames: readonly string[]
  /** Prompt of the post or image, or title of the collection, as the user may see it now; else ''. */
  readonly text: string
  /** The image of the post or the cover of the collection; null without one. */
  readonly image: { readonly photo: string; readonly placeholder: string } | null
  /** True for a theme of the gallery that has ended. */
  readonly hasEnded?: true
  /** Time of the latest event, ISO 8601, UTC. */
  readonly createdAt: string
  /** ISO 8601, UTC; null if unread. */
  readonly readAt: string | null
}

export function notificationPath(notification: Notification): string {
  const { kind, postId, collectionId, hasEnded } = notification
  if (kind === 'appeal') return pagePaths.moderation
  if (collectionId !== null) return collectionPath(collectionId) + (hasEnded ? '?sort=top' : '')
  return postId === null ? pagePaths.yourImages : postPath(postId)
}

/** Content of a push. Names no one and no image, as others see the screen of a locked device. */
export interface PushMessage {
  /** In the language of the user. */
  readonly title: string
  /** Path on this site that the click opens. */
  readonly path: string
  /** A later push with the same tag replaces the notification. */
  readonly tag: string
}
