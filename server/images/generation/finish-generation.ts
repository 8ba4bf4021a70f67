import type { ErrorCode } from '../../../shared/errors.ts'
import type { Database } from '../../db/open-database.ts'
import { refundDailyQuota, consumeDailyQuota } from '../daily-usage.ts'
import type { Image } from '../processing.ts'
import { refundSiteQuota } from '../site-usage.ts'

/** Records that an image's turn has come. False: there is no such image any more. */
export async function markStarted(db: Database, imageId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('images')
    .set({ started_at: now })
    .where('id', '=', imageId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Records that an image's image is stored in `folder`. A copy of an own image that is hidden is hidden too. False: it
 * is not in the making any more.
 */
export async function markReady(
  db: Database,
  imageId: string,
  stored: { folder: string; image: Image; now: number },
): Promise<boolean> {
  const { sha256, width, height, placeholder } = stored.image
  const { numUpdatedRows } = await db
    .updateTable('images')
    .set((eb) => ({
      state: 'ready',
      folder: stored.folder,
      sha256,
      width,
      height,
      placeholder,
      finished_at: stored.now,
      hidden_at: eb
        .selectFrom('images as copies')
        .select((copies) => copies.fn.min('copies.hidden_at').as('hidden_at'))
        .whereRef('copies.owner_id', '=', 'images.owner_id')
        .where('copies.sha256', '=', sha256),
    }))
    .where('id', '=', imageId)
    .where('state', '=', 'generating')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Records that nothing came of an image, and gives its place of the day back; of blocked prompts only
 * `blockedLimit` a day, so that they can't be used to probe the engine. Does nothing to a finished image.
 */
export async function markFailed(
  db: Database,
  imageId: string,
  failure: ErrorCode,
  { now, blockedLimit }: { now: number; blockedLimit: number },
): Promise<void> {
  await finish(db, imageId, { state: 'failed', failure, finished_at: now }, async (transaction, row) => {
    if (failure !== 'prompt_blocked') return true
    return consumeDailyQuota(transaction, row.owner_id, 'blocked', row.counted_on, blockedLimit)
  })
}

/** Records that its owner gave an image up; what was not sent to the engine yet gives its place back. */
export async function markCancelled(
  db: Database,
  imageId: string,
  { wasSent, now }: { wasSent: boolean; now: number },
): Promise<void> {
  await finish(db, imageId, { state: 'cancelled', failure: null, finished_at: now }, async () => !wasSent)
}

async function finish(
  db: Database,
  imageId: string,
  end: { state: 'failed' | 'cancelled'; failure: ErrorCode | null; finished_at: number },
  givesBack: (transaction: Database, row: { owner_id: string; counted_on: string }) => Promise<boolean>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('images')
      .select(['owner_id', 'counted_on'])
      .where('id', '=', imageId)
      .where('state', '=', 'generating')
      .executeTakeFirst()
    if (!row) return
    const { owner_id, counted_on } = row
    const returned = counted_on !== null && (await givesBack(transaction, { owner_id, counted_on }))
    if (returned) {
      await refundDailyQuota(transaction, owner_id, 'image', counted_on)
      await refundSiteQuota(transaction, counted_on)
    }
    await transaction
      .updateTable('images')
      .set({ ...end, counted_on: returned ? null : counted_on })
      .where('id', '=', imageId)
      .execute()
  })
}

/**
 * Fails what an earlier run of the server left unfinished.
 *
 * @param isOurs whether an image is being made by this run; the server answers already when this is called
 */
export async function failInterrupted(
  db: Database,
  isOurs: (imageId: string) => boolean,
  now: number,
): Promise<number> {
  const unfinished = await db.selectFrom('images').select('id').where('state', '=', 'generating').execute()
  const interrupted = unfinished.filter(({ id }) => !isOurs(id))
  for (const { id } of interrupted) await markFailed(db, id, 'interrupted', { now, blockedLimit: 0 })
  return interrupted.length
}
