import type { ErrorCode } from '../../shared/errors.ts'
import type { Database } from '../db/open-database.ts'
import { returnDailyPlace } from './daily-usage.ts'
import type { Picture } from './picture.ts'

/** Records that an image's turn has come. */
export async function markStarted(db: Database, imageId: string, now: number): Promise<void> {
  await db.updateTable('images').set({ started_at: now }).where('id', '=', imageId).execute()
}

/** Records that an image's picture is stored in `folder`. */
export async function markReady(
  db: Database,
  imageId: string,
  stored: { folder: string; picture: Picture; now: number },
): Promise<void> {
  const { sha256, width, height, placeholder } = stored.picture
  await db
    .updateTable('images')
    .set({
      state: 'ready',
      folder: stored.folder,
      sha256,
      width,
      height,
      placeholder,
      finished_at: stored.now,
    })
    .where('id', '=', imageId)
    .where('state', '=', 'generating')
    .execute()
}

/** Records that nothing came of an image, and gives its place of the day back. Does nothing to a finished one. */
export async function markFailed(
  db: Database,
  imageId: string,
  failure: ErrorCode,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('images')
      .select(['owner_id', 'counted_on'])
      .where('id', '=', imageId)
      .where('state', '=', 'generating')
      .executeTakeFirst()
    if (!row) return
    if (row.counted_on) await returnDailyPlace(transaction, row.owner_id, 'image', row.counted_on)
    await transaction
      .updateTable('images')
      .set({ state: 'failed', failure, counted_on: null, finished_at: now })
      .where('id', '=', imageId)
      .execute()
  })
}

/** Fails what an earlier run of the server left unfinished; called at start, before new work is taken. */
export async function failInterrupted(db: Database, now: number): Promise<number> {
  const unfinished = await db.selectFrom('images').select('id').where('state', '=', 'generating').execute()
  for (const { id } of unfinished) await markFailed(db, id, 'interrupted', now)
  return unfinished.length
}
