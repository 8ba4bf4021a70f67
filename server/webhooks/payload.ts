import type { Selectable } from 'kysely'
import type { WebhookData, WebhookPayload, WebhookPost } from '../../shared/webhooks.ts'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import type { ImagesTable, PostsTable, WebhookDeliveriesTable } from '../db/schema.ts'
import { photoPath } from '../images/images.ts'
import { isoTime } from '../text/iso-time.ts'

type DeliveryRow = Pick<Selectable<WebhookDeliveriesTable>, 'type' | 'data' | 'created_at'>

interface PayloadServices {
  readonly db: Database
  /** Origin of links; null: payloads have none. */
  readonly publicOrigin: string | null
}

/**
 * Creates the payloads of deliveries to webhooks of one owner. Those of the site have what a new post shows now, in place of
 * what it showed then, and nothing of one that is not public any more.
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
        timestamp: isoTime(created_at),
        data: JSON.parse(data, (key, value: unknown) =>
          (key === 'url' || key === 'imageUrl') && typeof value === 'string'
            ? absoluteUrl(value, publicOrigin)
            : value,
        ) as WebhookData[typeof type],
      }) as WebhookPayload,
  )
  if (ownerId !== null) return payloads
  const shown = await readListed(
    db,
    payloads.flatMap((payload) => (payload.type === 'post.created' ? payload.data.post.id : [])),
  )
  return payloads.map((payload) => {
    if (payload.type !== 'post.created') return payload
    const { type, timestamp, data } = payload
    const row = shown.get(data.post.id)
    const post = withoutContent(data.post)
    // One that was not public when it was created has no links.
    if (!row || data.post.url === undefined) return { type, timestamp, data: { post } }
    const { url } = data.post
    return { type, timestamp, data: { post: { ...post, ...contentOf(row, publicOrigin), url } } }
  })
}

function absoluteUrl(path: string, origin: string | null): string | null {
  return origin === null ? null : origin + path
}

function withoutContent({ id, imageId, authorId, visibility, createdAt }: WebhookPost): WebhookPost {
  return { id, imageId, authorId, visibility, createdAt }
}

type ListedRow = Pick<Selectable<PostsTable>, 'id' | 'name' | 'prompt' | 'hide_prompt' | 'sensitive'> &
  Pick<Selectable<ImagesTable>, 'folder'>

function contentOf(row: ListedRow, origin: string | null): Partial<WebhookPost> {
  return {
    name: row.name,
    isSensitive: row.sensitive === 1,
    imageUrl: row.folder && absoluteUrl(photoPath(row.folder), origin),
    ...(row.hide_prompt === 0 && { prompt: row.prompt }),
  }
}

/** Reads what public posts show now. */
async function readListed(db: Database, postIds: readonly string[]): Promise<ReadonlyMap<string, ListedRow>> {
  if (postIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .select([
      'posts.id',
      'posts.name',
      'posts.prompt',
      'posts.hide_prompt',
      'posts.sensitive',
      'images.folder',
    ])
    .where(isOneOf(db, 'posts.id', postIds, 'text'))
    .where(isListed())
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
