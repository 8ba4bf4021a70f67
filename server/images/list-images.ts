import type { ImagePage } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/open-database.ts'
import { toImage } from './image-row.ts'

/** The pictures that the viewer had made here, shared or not, newest first. */
export async function listImages(
  services: { db: Database },
  viewer: Viewer,
  page: { cursor?: string | undefined; limit: number },
): Promise<ImagePage> {
  let query = services.db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .orderBy('seq', 'desc')
    .limit(page.limit + 1)
  if (page.cursor !== undefined) query = query.where('seq', '<', decodeCursor('image', page.cursor))
  const rows = await query.execute()
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return {
    images: shown.map(toImage),
    nextCursor: last && rows.length > shown.length ? encodeCursor('image', last.seq) : null,
  }
}
