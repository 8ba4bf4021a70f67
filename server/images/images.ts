import { sql, type Selectable } from 'kysely'
import { originalFile } from '../../shared/image-files.ts'
import { isFinished, type Image, type ImagePage } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { decodeCursor, encodeCursor, pageTextBytes, sizedRows } from '../db/pagination.ts'
import { lockUser } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import type { ImagesTable } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError } from '../errors/app-error.ts'
import { withdrawImage } from '../moderation/moderated-images.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { engineKindOf, recipeOf } from './recipe.ts'

declare const owned: unique symbol

/** Value that belongs to the user of the request. Only queries that check the owner create one. */
export type Owned<Value> = Value & { readonly [owned]: true }

export type ImageRow = Selectable<ImagesTable>

/** Path of a stored image's original on this server. */
export function photoPath(folder: string): string {
  return `/uploads/${folder}/${originalFile}`
}

/** Converts a row to the image as its owner sees it. */
export function toImage(row: ImageRow): Image {
  return {
    id: row.id,
    prompt: row.prompt,
    state: row.state,
    failure: row.failure,
    failureDetail: row.failure_detail,
    photo: row.folder && photoPath(row.folder),
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
    engine: row.engine ?? '',
    engineKind: engineKindOf(row),
    model: row.model ?? '',
    recipe: recipeOf(row),
    isHidden: row.hidden_at !== null,
    createdAt: toIso(row.created_at),
    startedAt: row.started_at === null || row.state === 'queued' ? null : toIso(row.started_at),
  }
}

function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Creates the error for an image that does not exist or belongs to another user. */
export function noSuchImage(): AppError {
  return new AppError('not_found', 'Image not found.')
}

/**
 * Finds an image of the viewer.
 *
 * @throws AppError `not_found`, also for images of other users, so that ids can't be probed
 */
export async function findOwnImage(db: Database, viewer: Viewer, id: string): Promise<Owned<ImageRow>> {
  const [image] = await findOwnImages(db, viewer, [id])
  if (!image) throw noSuchImage()
  return image
}

/**
 * Finds images of the viewer, in the order of `ids`.
 *
 * @throws AppError `not_found` if an image does not exist or belongs to another user
 */
export async function findOwnImages(
  db: Database,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Owned<ImageRow>[]> {
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .where('id', 'in', ids)
    .where('owner_id', '=', viewer.id)
    .where('withdrawn_at', 'is', null)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row as Owned<ImageRow>]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw noSuchImage()
    return row
  })
}

/**
 * Finds the viewer's stored image whose original, or whose upload before re-encoding, has exactly one of these contents.
 *
 * @param digests SHA-256 of each, in hex
 * @returns the id of the image. Null if there is none, or if its file is lost and it is not hidden, so that another upload
 *   stores it again.
 */
export async function findImageByBytes(
  { db, blobs }: { readonly db: Database; readonly blobs: BlobStore },
  viewer: Viewer,
  digests: readonly string[],
): Promise<string | null> {
  const images = await db
    .selectFrom('images')
    .select(['id', 'folder', 'hidden_at'])
    .where('owner_id', '=', viewer.id)
    .where((eb) => eb.or([eb('sha256', 'in', digests), eb('upload_sha256', 'in', digests)]))
    .where('state', '=', 'succeeded')
    .orderBy('seq', 'desc')
    .execute()
  for (const { id, folder, hidden_at } of images) {
    if (hidden_at !== null || (folder !== null && (await blobs.size(folder, originalFile)) !== null))
      return id
  }
  return null
}

/** Bytes of the texts of an image in a response: the prompt is in the recipe, too. */
const imageTextBytes = sql<number>`2 * octet_length(prompt) + coalesce(octet_length(recipe), 0)`

/** Lists the viewer's generated images, newest first. A page has fewer entries if its prompts are long. */
export async function listImages(
  { db }: { readonly db: Database },
  viewer: Viewer,
  page: { cursor?: string | undefined; limit: number },
): Promise<ImagePage> {
  let newest = db
    .selectFrom('images')
    .select(['seq', imageTextBytes.as('bytes')])
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

/**
 * Deletes an image of the viewer with the posts that show it; its quota stays consumed. A hidden image is withdrawn instead
 * of deleted, until an administrator decides.
 *
 * @throws AppError `not_found`; `bad_input` while the image is being generated
 */
export async function deleteImage(
  services: { db: Database; blobs: BlobStore; now: () => number },
  viewer: Viewer,
  id: string,
): Promise<{ id: string }> {
  const folder = await inTransaction(services.db, async (transaction) => {
    await lockUser(transaction, viewer.id)
    const image = await findOwnImage(transaction, viewer, id)
    const deleted = await deleteRows(transaction, image, services.now())
    if (deleted) await services.blobs.unlink(transaction, [deleted])
    return deleted
  })
  if (folder) await services.blobs.remove(folder)
  return { id }
}

/** @returns the folder to remove; null if the image has none, or is withdrawn */
async function deleteRows(
  transaction: Database,
  image: Owned<ImageRow>,
  now: number,
): Promise<string | null> {
  if (!isFinished(image.state)) {
    throw new AppError('bad_input', 'This image is still being generated. Cancel it first.')
  }
  if (image.hidden_at !== null) {
    await withdrawImage(transaction, image.id, now)
    return null
  }
  await transaction.deleteFrom('posts').where('image_id', '=', image.id).execute()
  await transaction.deleteFrom('images').where('id', '=', image.id).execute()
  return image.folder
}
