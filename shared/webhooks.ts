import type { ErrorCode } from './errors.ts'
import type { Visibility } from './posts.ts'

export const webhookEvents = [
  'image.succeeded',
  'image.failed',
  'post.created',
  'post.hidden',
  'collection.post_added',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]

/** Type of a delivery: an event, or a test that the owner of the webhook asked for. */
export type WebhookDeliveryType = WebhookEvent | 'webhook.test'

/** Maximum number of webhooks of a user, and of the site. */
export const webhooksMax = 10

/** Maximum number of deliveries of a webhook that wait. Events beyond are not delivered. */
export const waitingDeliveriesMax = 1_000

export const webhookUrlMaxLength = 2_000

/** Days for which deliveries are logged. */
export const deliveryLogDays = 30

/** Hours for which the former secrets of a webhook still sign, too. */
export const formerSecretHours = 24

/**
 * Reason for which the server disabled a webhook: its endpoint answered that it is gone (410), or every attempt of the last
 * three days failed.
 */
export type WebhookDisabledReason = 'gone' | 'failing'

/**
 * Reason for which the latest attempt failed: the status of the response, no response in time, no connection, a host without
 * an address or with one that is not allowed, or an invalid certificate. `disabled`: not attempted, as the webhook was disabled.
 */
export type WebhookFailure =
  | 'status'
  | 'timeout'
  | 'connection'
  | 'host_unknown'
  | 'address_not_allowed'
  | 'certificate'
  | 'disabled'

export type WebhookDeliveryState = 'waiting' | 'succeeded' | 'failed'

/** Body of a request to a webhook. */
export type WebhookPayload = {
  [Type in WebhookDeliveryType]: {
    readonly type: Type
    /** Time of the event, ISO 8601, UTC. */
    readonly timestamp: string
    readonly data: WebhookData[Type]
  }
}[WebhookDeliveryType]

/** Data of each type of event. */
export interface WebhookData {
  readonly 'image.succeeded': {
    /** Owner of the image. */
    readonly userId: string
    readonly image: WebhookImage & {
      readonly width: number
      readonly height: number
      /** Link to the original JPEG. Absent for webhooks of the site; null if the site does not know its address. */
      readonly url?: string | null
    }
  }
  readonly 'image.failed': {
    readonly userId: string
    readonly image: WebhookImage & {
      readonly failure: ErrorCode
      /** Description of the failure, if it is more specific than `failure`; absent for webhooks of the site. */
      readonly failureDetail?: string | null
    }
  }
  readonly 'post.created': { readonly post: WebhookPost }
  readonly 'post.hidden': {
    readonly post: WebhookPost
    /** The administrator's words to the author; absent for webhooks of the site. */
    readonly note?: string
  }
  readonly 'collection.post_added': {
    /** User who added the post. */
    readonly userId: string
    readonly collection: {
      readonly id: string
      /** Absent for webhooks of the site, like `url`. */
      readonly title?: string
      /** Link to its page; null if the site does not know its address. */
      readonly url?: string | null
    }
    /** Has the optional fields only while it is public. */
    readonly post: WebhookPost
  }
  readonly 'webhook.test': { readonly webhookId: string }
}

/** A generated image. Times are ISO 8601, UTC. */
interface WebhookImage {
  readonly id: string
  readonly engine: string
  readonly model: string
  /** Absent for webhooks of the site. */
  readonly prompt?: string
  readonly createdAt: string
  readonly finishedAt: string
}

/** A post. Webhooks of the site have the optional fields only while the post is public. */
export interface WebhookPost {
  readonly id: string
  readonly imageId: string
  readonly authorId: string
  readonly visibility: Visibility
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** Name that the post shows. */
  readonly name?: string
  /** Absent for webhooks of the site if the author hides it. */
  readonly prompt?: string
  readonly isSensitive?: boolean
  /** Link to the page of the post; null if the site does not know its address. Absent for a hidden post, like `imageUrl`. */
  readonly url?: string | null
  /** Link to the original JPEG. */
  readonly imageUrl?: string | null
}
