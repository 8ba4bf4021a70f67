import { isFinished, type Image } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { inTransactionAbout, type AfterCommitOptions } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { withdrawImage } from './moderated-images.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { findImagesInUse } from './generation/states.ts'
import { findOwnImage, hasNoPosts, noSuchImage, toImage, type ImageRow } from './images.ts'
import type { Call } from '../procedures/procedures.ts'
import type { Needs } from './services.ts'
import { removeFolders } from './stored-images.ts'

type TrashServices = Needs<'db' | 'blobs' | 'log' | 'now'>
type MoveServices = Needs<'db' | 'now' | 'writeLimits'>

const batchSize = 200

/**
 * Moves an image to the trash, counted as before; one for edits or without files is deleted, a hidden one is withdrawn.
 * @throws AppError `not_found`; `bad_input` while it is being generated; `rate_limited`
 */
export async function deleteImage({
  ctx,
  input: { id },
}: Call<TrashServices & MoveServices, { readonly id: string }>) {
  const { services, viewer } = ctx
  const { db, now, writeLimits } = services
  await writeLimits.indexing.consume(viewer.id, await indexedCharacters(db, viewer, id, 'visibility'))
  await inTransactionAbout(db, viewer.id, async (transaction) => {
    const image = await findOwnImage(transaction, viewer, id)
    if (!isFinished(image.state)) throw new AppError('bad_input', describedDetail('image_unfinished'))
    const isKept = image.hidden_at === null && image.folder !== null && image.for_edit === 0
    if (isKept) await moveToTrash(transaction, [id], now())
    else await removeImages(services, transaction, [image])
  })
  return { id }
}

/**
 * Moves images to the trash, and frees their request keys. Their posts keep their likes, and become private meanwhile. Call
 * it in a transaction that has locked their owner.
 */
export async function moveToTrash(
  transaction: Database,
  imageIds: readonly string[],
  now: number,
): Promise<void> {
  await transaction
    .updateTable('posts')
    .set((eb) => ({ trashed_visibility: eb.ref('visibility'), visibility: 'private' }))
    .where('image_id', 'in', imageIds)
    .where('trashed_visibility', 'is', null)
    .execute()
  await transaction
    .updateTable('images')
    .set({ trashed_at: now, request_key: null })
    .where('id', 'in', imageIds)
    .execute()
}

/**
 * Restores an image from the trash, with its posts as they were; one that is not there stays as it is.
 * @throws AppError `not_found`; `not_signed_in` once the account is deleted; `rate_limited`
 */
export async function restoreImage({
  ctx: { services, viewer },
  input: { id },
}: Call<MoveServices, { readonly id: string }>): Promise<Image> {
  const { db, now, writeLimits } = services
  await writeLimits.indexing.consume(viewer.id, await indexedCharacters(db, viewer, id, 'trashed_visibility'))
  return inTransactionOf(services, viewer, async (transaction) => {
    // Posts first: their triggers lock the gallery, then images, as in inserts of posts.
    await transaction
      .updateTable('posts')
      .set((eb) => ({
        visibility: eb.fn.coalesce('trashed_visibility', 'visibility'),
        trashed_visibility: null,
      }))
      .where('image_id', '=', id)
      .where('author_id', '=', viewer.id)
      .where('trashed_visibility', 'is not', null)
      .execute()
    await transaction
      .updateTable('images')
      .set({ trashed_at: null, restored_at: now() })
      .where('id', '=', id)
      .where('owner_id', '=', viewer.id)
      .where('trashed_at', 'is not', null)
      .where('withdrawn_at', 'is', null)
      .execute()
    return toImage(await findOwnImage(transaction, viewer, id))
  })
}

/** Counts the characters of the viewer's posts of an image that are in the search index, or that return to it from the trash. */
async function indexedCharacters(
  db: Database,
  viewer: Viewer,
  imageId: string,
  column: 'visibility' | 'trashed_visibility',
): Promise<number> {
  const { characters } = await db
    .selectFrom('posts')
    .select((eb) => eb.fn.sum<number | string | null>(eb.fn('length', ['search_text'])).as('characters'))
    .where('image_id', '=', imageId)
    .where('author_id', '=', viewer.id)
    .where(column, '=', 'public')
    .where('hidden_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(characters)
}

/**
 * Deletes an image in the viewer's trash with its posts; one that was hidden meanwhile is withdrawn.
 * @throws AppError `not_found`
 */
export async function deletePermanently({
  ctx,
  input: { id },
}: Call<TrashServices, { readonly id: string }>) {
  if ((await removeTrashed(ctx.services, ctx.viewer.id, { ids: [id] })) === 0) throw noSuchImage()
  return { id }
}

/**
 * Deletes all images that are in the viewer's trash at the time of the call, and returns their number. Their files are
 * removed in the background.
 */
export async function emptyTrash(services: TrashServices, viewer: Viewer): Promise<{ deleted: number }> {
  const trashedUntil = services.now()
  let deleted = 0
  for (;;) {
    const images = await removeTrashed(services, viewer.id, { trashedUntil }, { isAwaited: false })
    if (images === 0) return { deleted }
    deleted += images
  }
}

/** Deletes images in a user's trash, a limited number at once, and then their files. Returns the number of images. */
export function removeTrashed(
  services: TrashServices,
  ownerId: string,
  which: { readonly ids: readonly string[] } | { readonly trashedUntil: number },
  removal?: AfterCommitOptions,
): Promise<number> {
  return inTransactionAbout(services.db, ownerId, async (transaction) => {
    const images = await transaction
      .selectFrom('images')
      .select(['id', 'folder', 'hidden_at'])
      .where('owner_id', '=', ownerId)
      .where('trashed_at', 'is not', null)
      .where('withdrawn_at', 'is', null)
      .where((eb) =>
        'ids' in which ? eb('id', 'in', which.ids) : eb('trashed_at', '<=', which.trashedUntil),
      )
      .orderBy('trashed_at')
      .limit(batchSize)
      .execute()
    await removeImages(services, transaction, images, removal)
    return images.length
  })
}

/** Deletes the rows of images and of their posts, and then the files. Hidden ones are withdrawn instead. */
async function removeImages(
  services: Pick<TrashServices, 'blobs' | 'log' | 'now'>,
  transaction: Database,
  images: readonly Pick<ImageRow, 'id' | 'folder' | 'hidden_at'>[],
  removal?: AfterCommitOptions,
): Promise<void> {
  for (const { id, hidden_at } of images) {
    if (hidden_at !== null) await withdrawImage(transaction, id, services.now())
  }
  const removed = images.filter(({ hidden_at }) => hidden_at === null)
  if (removed.length === 0) return
  const ids = removed.map(({ id }) => id)
  await transaction.deleteFrom('posts').where('image_id', 'in', ids).execute()
  await transaction.deleteFrom('images').where('id', 'in', ids).execute()
  await removeFolders(services, transaction, removed, removal)
}

/**
 * Deletes uploads that were stored for a request that was rejected afterwards, or that are not used any more. Keeps those that
 * were shared meanwhile, or that another generation refers to. Their upload quota stays consumed, as that of uploads that cannot
 * be decoded. Returns the number of deleted ones.
 * @param isUnused true for images without posts only, as uploads for edits are
 */
export async function discardUploads(
  { db, blobs, log }: Needs<'db' | 'blobs' | 'log'>,
  ownerId: string,
  imageIds: readonly string[],
  isUnused = hasNoPosts,
): Promise<number> {
  if (imageIds.length === 0) return 0
  return inTransactionAbout(db, ownerId, async (transaction) => {
    const used = await findImagesInUse(transaction, ownerId)
    const unused = imageIds.filter((id) => !used.has(id))
    if (unused.length === 0) return 0
    const deleted = await transaction
      .deleteFrom('images')
      .where('owner_id', '=', ownerId)
      .where('source', '=', 'uploaded')
      .where('id', 'in', unused)
      .where('hidden_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .where(isUnused)
      .returning('folder')
      .execute()
    await removeFolders({ blobs, log }, transaction, deleted)
    return deleted.length
  })
}
