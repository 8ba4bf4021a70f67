import type { Selectable } from 'kysely'
import type { WebhookData, WebhookPayload, WebhookPost } from '../../shared/webhooks.ts'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import type { WebhookDeliveriesTable } from '../db/schema.ts'

type DeliveryRow = Pick<Selectable<WebhookDeliveriesTable>, 'type' | 'data' | 'created_at'>

interface PayloadServices {
  readonly db: Database
  /** Origin of links; null: payloads have none. */
  readonly publicOrigin: string | null
}

/**
 * Creates the payloads of deliveries to webhooks of one owner. Those of the site leave out what a new post showed if it is not
 * public any more.
 *
 * @param ownerId null for webhooks of the site
 */
export async function composePayloads(
  { db, publicOrigin }: PayloadServices,
  ownerId: string | null,
  rows: readonly DeliveryRow[],
): Promise<WebhookPayload[]> {
  const payloads = rows.map(
    ({ type, data, created_at }) =>
      ({
        type,
        timestamp: new Date(created_at).toISOString(),
        data: JSON.parse(data, (key, value: unknown) =>
          (key === 'url' || key === 'imageUrl') && typeof value === 'string'
            ? absoluteUrl(value, publicOrigin)
            : value,
        ) as WebhookData[typeof type],
      }) as WebhookPayload,
  )
  if (ownerId !== null) return payloads
  const listed = await findListed(
    db,
    payloads.flatMap((payload) => (payload.type === 'post.created' ? payload.data.post.id : [])),
  )
  return payloads.map((payload) => {
    if (payload.type !== 'post.created' || listed.has(payload.data.post.id)) return payload
    const { type, timestamp, data } = payload
    return { type, timestamp, data: { post: withoutContent(data.post) } }
  })
}

function absoluteUrl(path: string, origin: string | null): string | null {
  return origin === null ? null : origin + path
}

function withoutContent({ id, imageId, authorId, visibility, createdAt }: WebhookPost): WebhookPost {
  return { id, imageId, authorId, visibility, createdAt }
}

async function findListed(db: Database, postIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (postIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('posts')
    .select('id')
    .where(isOneOf(db, 'id', postIds, 'text'))
    .where(isListed())
    .execute()
  return new Set(rows.map(({ id }) => id))
}
