import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Visibility } from '../../shared/posts.ts'
import { collectionPath, postPath } from '../../shared/routes.ts'
import {
  waitingDeliveriesMax,
  type WebhookData,
  type WebhookDeliveryType,
  type WebhookEvent,
  type WebhookPost,
  type WebhookPayload,
} from '../../shared/webhooks.ts'
import { dbNow, dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { countRows } from '../db/rows.ts'
import type { ImageLinks } from '../images/image-links.ts'
import type { ImageRow } from '../images/images.ts'
import { photoPath } from '../../shared/image-files.ts'
import { readAccess } from '../access/user-access.ts'
import { isoTime } from '../text/iso-time.ts'
import { isListed } from '../db/gallery.ts'
import type { RowOf } from '../db/schema.ts'

/*
 * Events are queued in the transaction that makes them true: none is lost, and none reports what did not happen. What they
 * say is stored with them, with paths in place of links.
 */

interface Occurrence {
  readonly type: WebhookEvent
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly occurredAt: number
}

/** Data for webhooks of the user, and for those of the site. */
interface Audiences {
  readonly forUser: WebhookData[WebhookEvent]
  readonly forSite: WebhookData[WebhookEvent]
}

/** Condition for deliveries that wait. A literal, as a partial index does not apply to a parameter. */
export const isWaiting = sql<SqlBool>`webhook_deliveries.state = 'waiting'`

/** Reports that a generation has succeeded or failed; nothing for other states. */
export async function queueImageEvent(transaction: Database, row: ImageRow): Promise<void> {
  const { state, owner_id: userId, prompt } = row
  if (state !== 'succeeded' && state !== 'failed') return
  const occurredAt = row.finished_at ?? row.created_at
  const common = {
    id: row.id,
    engine: row.engine ?? '',
    model: row.model ?? '',
    createdAt: isoTime(row.created_at),
    finishedAt: isoTime(occurredAt),
  }
  const failed = { ...common, failure: row.failure ?? 'internal' }
  const succeeded = { ...common, width: row.width ?? 0, height: row.height ?? 0 }
  const data: Audiences =
    state === 'failed'
      ? {
          forUser: { userId, image: { ...failed, prompt, failureDetail: row.failure_detail } },
          forSite: { userId, image: failed },
        }
      : { forUser: { userId, image: { ...succeeded, prompt } }, forSite: { userId, image: succeeded } }
  await queueEvent(transaction, { type: `image.${state}`, userId, occurredAt }, async () => data)
}

export interface CreatedPost {
  readonly id: string
  readonly imageId: string
  readonly authorId: string
  readonly visibility: Visibility
  readonly name: string
  readonly prompt: string
  readonly hidePrompt: boolean
  readonly isSensitive: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export async function queuePostCreated(transaction: Database, post: CreatedPost): Promise<void> {
  const { id, imageId, authorId, visibility, name, prompt, isSensitive } = post
  const occurrence = { type: 'post.created', userId: authorId, occurredAt: post.createdAt } as const
  await queueEvent(transaction, occurrence, async () => {
    const { folder } = await transaction
      .selectFrom('images')
      .select('folder')
      .where('id', '=', imageId)
      .executeTakeFirstOrThrow()
    const fixed = fixedOf(post)
    const url = postPath(id)
    const imageUrl = folder && photoPath(folder)
    return {
      forUser: { post: { ...fixed, name, prompt, isSensitive, url, imageUrl } },
      // What it shows is read when the delivery is sent.
      forSite: { post: visibility === 'public' ? { ...fixed, url } : fixed },
    }
  })
}

/**
 * Reports posts that an administrator has hidden.
 *
 * @param note the administrator's words to the authors
 * @param occurredAt milliseconds since 1970
 */
export async function queuePostsHidden(
  transaction: Database,
  postIds: readonly string[],
  { note, occurredAt }: { readonly note: string; readonly occurredAt: number },
): Promise<void> {
  for (const row of await selectPosts(transaction, postIds).orderBy('posts.seq').execute()) {
    const { name, prompt } = row
    await queueEvent(transaction, { type: 'post.hidden', userId: row.authorId, occurredAt }, async () => ({
      forUser: { post: { ...fixedOf(row), name, prompt, isSensitive: row.sensitive === 1 }, note },
      forSite: { post: fixedOf(row) },
    }))
  }
}

/** Reports a post that was added to a collection, to the owner of the collection. */
export async function queueCollectionPostAdded(
  transaction: Database,
  { id, owner_id: userId, title }: Pick<RowOf<'collections'>, 'id' | 'owner_id' | 'title'>,
  event: { readonly postId: string; readonly addedBy: string; readonly occurredAt: number },
): Promise<void> {
  const { postId, addedBy, occurredAt } = event
  const occurrence = { type: 'collection.post_added', userId, occurredAt } as const
  await queueEvent(transaction, occurrence, async () => {
    const row = await selectPosts(transaction, [postId]).executeTakeFirstOrThrow()
    // What it shows is read when the delivery is sent.
    const post = { ...fixedOf(row), ...(row.visibility === 'public' && { url: postPath(postId) }) }
    return {
      forUser: { userId: addedBy, collection: { id, title, url: collectionPath(id) }, post },
      forSite: { userId: addedBy, collection: { id }, post },
    }
  })
}

function selectPosts(db: Database, ids: readonly string[]) {
  return db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .select(['posts.id', 'posts.image_id as imageId', 'posts.author_id as authorId'])
    .select(['posts.visibility', 'posts.created_at as createdAt'])
    .select(['posts.name', 'posts.prompt', 'posts.hide_prompt', 'posts.sensitive', 'images.folder'])
    .where(isOneOf(db, 'posts.id', ids, 'text'))
}

/** What every viewer is told about a post. */
function fixedOf({
  id,
  imageId,
  authorId,
  visibility,
  createdAt,
}: Pick<CreatedPost, 'id' | 'imageId' | 'authorId' | 'visibility' | 'createdAt'>): WebhookPost {
  return { id, imageId, authorId, visibility, createdAt: isoTime(createdAt) }
}

/** @param describe called only if a webhook reports the event */
async function queueEvent(
  transaction: Database,
  { type, userId, occurredAt }: Occurrence,
  describe: () => Promise<Audiences>,
): Promise<void> {
  const enabled = await transaction
    .selectFrom('webhooks')
    .select(['id', 'user_id', 'events'])
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)]))
    .orderBy('seq')
    // One that is deleted meanwhile would make the insertion fail, and with it what the event reports.
    .$if(dialectOf(transaction) === 'postgres', (query) => query.forKeyShare())
    .execute()
  const webhooks = enabled.filter(({ events }) => (JSON.parse(events) as string[]).includes(type))
  if (webhooks.length === 0) return
  const { isBlocked } = await readAccess(transaction, userId)
  const { forUser, forSite } = await describe()
  for (const { id: webhookId, user_id } of webhooks) {
    if (user_id !== null && isBlocked) continue
    if ((await countWaiting(transaction, webhookId)) >= waitingDeliveriesMax) {
      await transaction
        .updateTable('webhooks')
        .set({ dropped_at: occurredAt })
        .where('id', '=', webhookId)
        .where('dropped_at', 'is', null)
        .execute()
      continue
    }
    const data = user_id === null ? forSite : forUser
    await insertDelivery(transaction, { webhookId, userId, type, data, createdAt: occurredAt })
  }
}

export function countWaiting(db: Database, webhookId: string): Promise<number> {
  return countRows(db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId).where(isWaiting))
}

export function insertDelivery(
  transaction: Database,
  delivery: {
    readonly webhookId: string
    readonly userId: string | null
    readonly type: WebhookDeliveryType
    readonly data: WebhookData[WebhookDeliveryType]
    /** Milliseconds since 1970. */
    readonly createdAt: number
  },
) {
  return transaction
    .insertInto('webhook_deliveries')
    .values({
      id: randomUUID(),
      webhook_id: delivery.webhookId,
      user_id: delivery.userId,
      type: delivery.type,
      data: JSON.stringify(delivery.data),
      created_at: delivery.createdAt,
      due_at: dbNow(transaction),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type DeliveryRow = Pick<RowOf<'webhook_deliveries'>, 'type' | 'data' | 'created_at'>

export interface PayloadServices {
  readonly db: Database
  /** Origin of links; null: payloads have none. */
  readonly publicOrigin: string | null
  readonly imageLinks: ImageLinks
}

/**
 * Creates the payloads of deliveries to webhooks of one owner. Those of the site have what a new post shows now, in place of
 * what it showed then, and nothing of one that is not public any more; so has what was added to a collection, for its owner, too. A generated image has a link that opens for an hour.
 *
 * @param ownerId null for webhooks of the site
 */
export async function composePayloads(
  { db, publicOrigin, imageLinks }: PayloadServices,
  ownerId: string | null,
  rows: readonly DeliveryRow[],
): Promise<WebhookPayload[]> {
  const absolute = (path: string) => (publicOrigin === null ? null : publicOrigin + path)
  const payloads = rows.map(({ type, data, created_at }) => {
    const parsed: unknown = JSON.parse(data, (key, value: unknown) =>
      (key === 'url' || key === 'imageUrl') && typeof value === 'string' ? absolute(value) : value,
    )
    return { type, timestamp: isoTime(created_at), data: parsed } as WebhookPayload
  })
  const isReadAgain = (payload: WebhookPayload): payload is AboutPost =>
    payload.type === 'collection.post_added' || (payload.type === 'post.created' && ownerId === null)
  const ids = payloads.flatMap((payload) => (isReadAgain(payload) ? payload.data.post.id : []))
  const listed = ids.length === 0 ? [] : await selectPosts(db, ids).where(isListed()).execute()
  const shown = new Map(listed.map((row) => [row.id, row]))

  /** Returns a payload with what its post shows now. */
  function withShown(payload: AboutPost): WebhookPayload {
    const { id, imageId, authorId, visibility, createdAt, url } = payload.data.post
    const row = shown.get(id)
    const content = row && {
      name: row.name,
      isSensitive: row.sensitive === 1,
      imageUrl: row.folder && absolute(photoPath(row.folder)),
      ...(row.hide_prompt === 0 && { prompt: row.prompt }),
      url,
    }
    // One that was not public when it was created has no links.
    const post = { id, imageId, authorId, visibility, createdAt, ...(url !== undefined && content) }
    return payload.type === 'post.created'
      ? { ...payload, data: { post } }
      : { ...payload, data: { ...payload.data, post } }
  }

  function present(payload: WebhookPayload): WebhookPayload {
    if (isReadAgain(payload)) return withShown(payload)
    if (payload.type !== 'image.succeeded' || ownerId === null) return payload
    const { image } = payload.data
    const path = imageLinks.create({ imageId: image.id, format: 'jpeg', quality: undefined })
    return { ...payload, data: { ...payload.data, image: { ...image, url: absolute(path) } } }
  }

  return payloads.map(present)
}

/** What is told about posts that others than their author receive. */
type AboutPost = Extract<WebhookPayload, { type: 'post.created' | 'collection.post_added' }>
