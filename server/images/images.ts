import { sql, type Selectable } from 'kysely'
import { originalFile } from '../../shared/image-files.ts'
import {
  isFinished,
  type Image,
  type ImageFilter,
  type ImagePage,
  type ImageState,
  type OwnPost,
} from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { decodeCursor, encodeCursor, isOneOf, pageTextBytes, sizedRows } from '../db/pagination.ts'
import { lockUser } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import type { ImagesTable } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
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
  return new AppError('not_found', describedDetail('image_not_found'))
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
const imageTextBytes = sql<number>`2 * octet_length(images.prompt) + coalesce(octet_length(images.recipe), 0)`

interface ListInput {
  readonly filter: ImageFilter
  readonly cursor?: string | undefined
  readonly limit: number
}

/** A row of a page: `position` is the one in the list, `found` the number of candidates for the page. */
type ListedRow = ImageRow & { readonly position: number; readonly found: number }

/** Lists images of the viewer with their posts. A page has fewer entries if its prompts are long. */
export async function listImages(
  { db }: { readonly db: Database },
  viewer: Viewer,
  input: ListInput,
): Promise<ImagePage> {
  const kind = input.filter === 'shared' ? 'shared' : 'image'
  const before = input.cursor === undefined ? null : decodeCursor(kind, input.cursor)
  const rows =
    input.filter === 'shared'
      ? await findSharedImages(db, viewer, input.limit, before)
      : await findGeneratedImages(db, viewer, input, before)
  const posts = await postsOf(
    db,
    rows.map(({ id }) => id),
  )
  const last = rows.at(-1)
  return {
    images: rows.map((row) => ({ ...toImage(row), posts: posts.get(row.id) ?? [] })),
    nextCursor: last && last.found > rows.length ? encodeCursor(kind, last.position) : null,
  }
}

/** Finds generated images, newest first. */
function findGeneratedImages(
  db: Database,
  viewer: Viewer,
  { filter, limit }: Pick<ListInput, 'filter' | 'limit'>,
  before: number | null,
): Promise<ListedRow[]> {
  let newest = db
    .selectFrom('images')
    .select(['seq', imageTextBytes.as('bytes')])
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .where('withdrawn_at', 'is', null)
    .orderBy('seq', 'desc')
    .limit(limit + 1)
  // Not a parameter, with which the planner would not use the index of failed images.
  if (filter === 'failed') newest = newest.where('state', '=', sql.lit<ImageState>('failed'))
  if (before !== null) newest = newest.where('seq', '<', before)
  return db
    .selectFrom('images')
    .innerJoin(sizedRows(db, newest).as('sized'), 'sized.seq', 'images.seq')
    .selectAll('images')
    .select(['sized.seq as position', 'sized.found'])
    .where('sized.bytesBefore', '<', pageTextBytes(limit))
    .orderBy('sized.seq', 'desc')
    .limit(limit)
    .execute()
}

/** Finds images with posts, generated and uploaded ones, the one that was last shared first. */
function findSharedImages(
  db: Database,
  viewer: Viewer,
  limit: number,
  before: number | null,
): Promise<ListedRow[]> {
  let newest = db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .select(['posts.seq', imageTextBytes.as('bytes')])
    .where('posts.author_id', '=', viewer.id)
    .where('posts.withdrawn_at', 'is', null)
    .where('images.withdrawn_at', 'is', null)
    // An image that was shared repeatedly is listed once, at its newest post.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('posts as newer')
            .select('newer.seq')
            .whereRef('newer.image_id', '=', 'posts.image_id')
            .whereRef('newer.seq', '>', 'posts.seq')
            .where('newer.withdrawn_at', 'is', null),
        ),
      ),
    )
    .orderBy('posts.seq', 'desc')
    .limit(limit + 1)
  if (before !== null) newest = newest.where('posts.seq', '<', before)
  return db
    .selectFrom('posts')
    .innerJoin(sizedRows(db, newest).as('sized'), 'sized.seq', 'posts.seq')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .selectAll('images')
    .select(['sized.seq as position', 'sized.found'])
    .where('sized.bytesBefore', '<', pageTextBytes(limit))
    .orderBy('sized.seq', 'desc')
    .limit(limit)
    .execute()
}

/** Finds the posts of images, newest first, by the id of the image. */
async function postsOf(db: Database, imageIds: readonly string[]): Promise<ReadonlyMap<string, OwnPost[]>> {
  const rows = await db
    .selectFrom('posts')
    .select(['id', 'image_id', 'visibility'])
    .where(isOneOf(db, 'image_id', imageIds, 'text'))
    .where('withdrawn_at', 'is', null)
    .orderBy('seq', 'desc')
    .execute()
  const posts = new Map<string, OwnPost[]>()
  for (const { id, image_id, visibility } of rows) {
    posts.set(image_id, [...(posts.get(image_id) ?? []), { id, visibility }])
  }
  return posts
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
    throw new AppError('bad_input', describedDetail('image_unfinished'))
  }
  if (image.hidden_at !== null) {
    await withdrawImage(transaction, image.id, now)
    return null
  }
  await transaction.deleteFrom('posts').where('image_id', '=', image.id).execute()
  await transaction.deleteFrom('images').where('id', '=', image.id).execute()
  return image.folder
}

/** Deletes the viewer's failed images, and returns their number. */
export async function deleteFailedImages(db: Database, viewer: Viewer): Promise<{ deleted: number }> {
  const { numDeletedRows } = await db
    .deleteFrom('images')
    .where('owner_id', '=', viewer.id)
    .where('state', '=', sql.lit<ImageState>('failed'))
    .executeTakeFirst()
  return { deleted: Number(numDeletedRows) }
}
