import type { ImagePage } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { decodeCursor, encodeCursor, pageTextBytes, sizedRows, textBytes } from '../db/pagination.ts'
import type { Database } from '../db/open-database.ts'
import { toImage } from './image-row.ts'

/**
 * The images that the viewer had made here, shared or not, newest first. A page ends early where its prompts are long.
 */
export async function listImages(
  services: { db: Database },
  viewer: Viewer,
  page: { cursor?: string | undefined; limit: number },
): Promise<ImagePage> {
  const { db } = services
  let newest = db
    .selectFrom('images')
    .select(['seq', textBytes('prompt').as('bytes')])
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .where('withdrawn_at', 'is', null)
    .orderBy('seq', 'desc')
    .limit(page.limit + 1)
  if (page.cursor !== undefined) newest = newest.where('seq', '<', decodeCursor('image', page.cursor))
  const rows = await db
    .selectFrom('images')
    .innerJoin(sizedRows(db, newest).as('sized'), 'sized.seq', 'images.seq')
    .selectAll('images')
    .select('sized.found')
    .where('sized.bytesBefore', '<', pageTextBytes(page.limit))
    .orderBy('images.seq', 'desc')
    .limit(page.limit)
    .execute()
  const last = rows.at(-1)
  return {
    images: rows.map(toImage),
    nextCursor: last && last.found > rows.length ? encodeCursor('image', last.seq) : null,
  }
}
