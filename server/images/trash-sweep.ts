import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type ExpressionBuilder } from 'kysely'
import { trashDays } from '../../shared/images.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import type { Schema } from '../db/schema.ts'
import { inTransactionAbout } from '../db/transaction.ts'
import { findImagesInUse } from './generation/states.ts'
import { hasNoPosts } from './images.ts'
import type { Needs } from './services.ts'
import { discardUploads, moveToTrash, removeTrashed } from './trash.ts'

/** Minimum time between two sweeps. Each process begins one at its start and every hour. */
const minSweepIntervalMs = 30 * 60 * 1_000

const batchSize = 200

/** Number of positions of images of which a sweep looks for unshared ones at once. */
const rangeSize = 500

type SweepServices = Needs<'db' | 'blobs' | 'log' | 'now' | 'readOptions'>

/** Days for which an upload for edits is kept that no recipe names. */
const unusedEditDays = 7

/**
 * Moves images to the trash that have not been shared for `unsharedImageDays`, and deletes those whose time there is over, and
 * uploads for edits that no image names, in small transactions. One process at a time does so. Returns the numbers of images.
 */
export async function sweepImages(services: SweepServices) {
  const startedAt = services.now()
  // No lock, which a connection pooler could lose: two sweeps at once would only do the same work.
  const { numUpdatedRows } = await services.db
    .updateTable('site')
    .set({ images_swept_at: startedAt })
    .where('images_swept_at', '<=', startedAt - minSweepIntervalMs)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return { trashed: 0, deleted: 0 }
  const [trashed, expired] = [await trashUnshared(services), await deleteExpired(services)]
  // Also those that only the expired ones named.
  return { trashed, deleted: expired + (await deleteUnusedEdits(services)) }
}

async function trashUnshared({ db, now, readOptions }: SweepServices): Promise<number> {
  const { unsharedImageDays } = await readOptions(db)
  if (unsharedImageDays === null) return 0
  const isUnshared = unsharedSince(now() - unsharedImageDays * msPerDay)
  const { last } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.max<number | null>('seq').as('last'))
    .executeTakeFirstOrThrow()
  let trashed = 0
  // By ranges, so that each statement reads a limited number of rows, also where most images are shared.
  for (let from = 0; from < (last ?? 0); from += rangeSize) {
    const images = await db
      .selectFrom('images')
      .select(['id', 'owner_id'])
      .where('seq', '>', from)
      .where('seq', '<=', from + rangeSize)
      .where(isUnshared)
      .execute()
    for (const ownerId of new Set(images.map(({ owner_id }) => owner_id))) {
      const ids = images.filter(({ owner_id }) => owner_id === ownerId).map(({ id }) => id)
      trashed += await trashIfUnshared(db, ownerId, ids, isUnshared, now())
    }
    await nextTurn()
  }
  return trashed
}

/** Deletes unused uploads for edits one at a time, as each is looked for in the recipes of all later images of its owner. */
async function deleteUnusedEdits(services: SweepServices): Promise<number> {
  const isUnused = isUnusedEdit(services.now() - unusedEditDays * msPerDay)
  let deleted = 0
  for (let last = 0; ;) {
    const edit = await services.db
      .selectFrom('images')
      .select((eb) => ['seq', 'id', 'owner_id', isUnused(eb).as('isUnused')])
      .where((eb) => eb('for_edit', '=', eb.lit(1)))
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    if (!edit) return deleted
    last = edit.seq
    if (edit.isUnused) deleted += await discardUploads(services, edit.owner_id, [edit.id], isUnused)
    await nextTurn()
  }
}

/** Builds the condition that an image was stored, or restored, until a time, and has no posts. */
function unsharedSince(time: number) {
  return (eb: ExpressionBuilder<Schema, 'images'>) =>
    eb.and([
      eb('state', '=', 'succeeded'),
      eb('trashed_at', 'is', null),
      eb('withdrawn_at', 'is', null),
      // An administrator decides about hidden ones.
      eb('hidden_at', 'is', null),
      // See `isUnusedEdit`.
      eb('for_edit', '=', 0),
      eb(eb.fn.coalesce('restored_at', 'created_at'), '<=', time),
      hasNoPosts(eb),
    ])
}

/** Builds the condition that an image was uploaded only for edits until a time, and that no recipe of its owner names it. */
function isUnusedEdit(time: number) {
  return (eb: ExpressionBuilder<Schema, 'images'>) => {
    // Recipes that name it come later, and the first one most often next.
    const naming = eb
      .selectFrom('images as others')
      .select('others.id')
      .whereRef('others.owner_id', '=', 'images.owner_id')
      .whereRef('others.seq', '>', 'images.seq')
      .where('others.state', '<>', 'canceled')
      .where(sql<boolean>`others.recipe LIKE '%' || images.id || '%'`)
      .orderBy('others.seq')
      .limit(1)
    return eb.and([
      eb('for_edit', '=', eb.lit(1)),
      eb(eb.fn.coalesce('restored_at', 'created_at'), '<=', time),
      eb(naming, 'is', null),
    ])
  }
}

/** Moves images of a user to the trash, except those that were shared meanwhile, or that a running generation refers to. */
function trashIfUnshared(
  db: Database,
  ownerId: string,
  ids: readonly string[],
  isUnshared: ReturnType<typeof unsharedSince>,
  now: number,
): Promise<number> {
  return inTransactionAbout(db, ownerId, async (transaction) => {
    const used = await findImagesInUse(transaction, ownerId)
    const rows = await transaction
      .selectFrom('images')
      .select('id')
      .where('id', 'in', ids)
      .where(isUnshared)
      .execute()
    const unshared = rows.map(({ id }) => id).filter((id) => !used.has(id))
    if (unshared.length > 0) await moveToTrash(transaction, unshared, now)
    return unshared.length
  })
}

async function deleteExpired(services: SweepServices): Promise<number> {
  const { db } = services
  const trashedUntil = services.now() - trashDays * msPerDay
  let deleted = 0
  for (;;) {
    const expired = await db
      .selectFrom('images')
      .select('owner_id')
      .where('trashed_at', '<=', trashedUntil)
      .where('withdrawn_at', 'is', null)
      .orderBy('trashed_at')
      .limit(batchSize)
      .execute()
    if (expired.length === 0) return deleted
    for (const ownerId of new Set(expired.map(({ owner_id }) => owner_id))) {
      deleted += await removeTrashed(services, ownerId, { trashedUntil })
      await nextTurn()
    }
  }
}
