import type { Selectable } from 'kysely'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ImagesTable } from '../db/schema.ts'
import { AppError } from '../errors/app-error.ts'

/**
 * One of the viewer's own generated images.
 *
 * @throws AppError `not_found`, also for somebody else's: that it exists is nobody's business
 */
export async function findOwnImage(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<Selectable<ImagesTable>> {
  const row = await db
    .selectFrom('images')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .executeTakeFirst()
  if (!row) throw noSuchImage()
  return row
}

/** The error for an image that is not there, or is not the caller's to know of. */
export function noSuchImage(): AppError {
  return new AppError('not_found', 'There is no such image.')
}
