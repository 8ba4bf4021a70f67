import { sql, type ExpressionBuilder, type Selectable } from 'kysely'
import type { z } from 'zod'
import { originalFile, photoPath } from '../../shared/image-files.ts'
import {
  trashDays,
  type Image,
  type ImagePage,
  type ImageState,
  type OwnPost,
  type Recipe,
} from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { engineKinds, type EngineKind } from '../../shared/engines.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import {
  decodeCursor,
  decodeParts,
  encodeCursor,
  isOneOf,
  pageTextBytes,
  sizedRows,
} from '../db/pagination.ts'
import type { ImagesTable, Schema } from '../db/schema.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { ImageProducer } from '../formats/xmp.ts'
import type { listImagesInput } from '../procedures/inputs.ts'
import { isoTime } from '../text/iso-time.ts'
import type { Needs } from './services.ts'

declare const owned: unique symbol

/** Value that belongs to the user of the request. Only queries that check the owner create one. */
export type Owned<Value> = Value & { readonly [owned]: true }

export type ImageRow = Selectable<ImagesTable>

/** Builds the condition that an image has no posts. */
export function hasNoPosts({ not, exists, selectFrom }: ExpressionBuilder<Schema, 'images'>) {
  return not(exists(selectFrom('posts').select('posts.id').whereRef('posts.image_id', '=', 'images.id')))
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
    createdAt: isoTime(row.created_at),
    startedAt: row.state === 'queued' ? null : isoTime(row.started_at),
  }
}

/** Creates the error for an image that does not exist or belongs to another user. */
export function noSuchImage(): AppError {
  return new AppError('not_found', describedDetail('image_not_found'))
}

/**
 * Finds an image of the viewer that is not in the trash.
 * @throws AppError `not_found`, also for images of others, so that ids can't be probed
 */
export async function findOwnImage(db: Database, viewer: Viewer, id: string): Promise<Owned<ImageRow>> {
  const [image] = await findOwnImages(db, viewer, [id])
  if (!image) throw noSuchImage()
  return image
}

/** Finds images of the viewer, in the order of `ids`. @throws AppError `not_found` see `findOwnImage` */
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
    .where('trashed_at', 'is', null)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row as Owned<ImageRow>]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw noSuchImage()
    return row
  })
}

/**
 * Finds the viewer's stored image whose original or upload has one of these SHA-256, in the trash only if it is hidden. Null
 * if there is none, or if its file is lost and it is not hidden, so that another upload stores it again.
 */
export async function findImageByBytes(
  { db, blobs }: Needs<'db' | 'blobs'>,
  viewer: Viewer,
  digests: readonly string[],
): Promise<string | null> {
  const images = await db
    .selectFrom('images')
    .select(['id', 'folder', 'hidden_at'])
    .where('owner_id', '=', viewer.id)
    .where((eb) => eb.or([eb('sha256', 'in', digests), eb('upload_sha256', 'in', digests)]))
    .where('state', '=', 'succeeded')
    .where((eb) => eb.or([eb('trashed_at', 'is', null), eb('hidden_at', 'is not', null)]))
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

type ListInput = z.output<typeof listImagesInput>

/** A row of a page: `position` is the one in the list, `found` the number of candidates for the page. */
type ListedRow = ImageRow & { readonly position: number; readonly found: number }

/** Lists images of the viewer with their posts. A page has fewer entries if its prompts are long. */
export async function listImages(
  { db, readOptions }: Needs<'db' | 'readOptions'>,
  viewer: Viewer,
  input: ListInput,
): Promise<ImagePage> {
  const { rows, encode } = await findPage(db, viewer, input)
  const { unsharedImageDays } = await readOptions(db)
  const posts = await postsOf(
    db,
    rows.map(({ id }) => id),
  )
  const last = rows.at(-1)
  return {
    images: rows.map((row) => {
      const postsOfImage = posts.get(row.id) ?? []
      const expiry = expiryOf(row, postsOfImage.length > 0, unsharedImageDays)
      return {
        ...toImage(row),
        posts: postsOfImage,
        ...(expiry !== null && { expiresAt: isoTime(expiry) }),
      }
    }),
    nextCursor: last && last.found > rows.length ? encode(last) : null,
  }
}

/**
 * Returns the time after which a sweep moves an image to the trash because it is not shared, or deletes it if it is in the
 * trash; null if it does neither.
 */
function expiryOf(row: ImageRow, isShared: boolean, unsharedImageDays: number | null): number | null {
  if (row.trashed_at !== null) return row.trashed_at + trashDays * msPerDay
  if (isShared || unsharedImageDays === null || row.state !== 'succeeded' || row.hidden_at !== null)
    return null
  return (row.restored_at ?? row.created_at) + unsharedImageDays * msPerDay
}

/** Finds the rows of a page, and returns the function that encodes the position of the last one. */
async function findPage(
  db: Database,
  viewer: Viewer,
  input: ListInput,
): Promise<{ readonly rows: readonly ListedRow[]; readonly encode: (last: ListedRow) => string }> {
  const { filter, cursor, limit } = input
  if (filter === 'trash') {
    const before = cursor === undefined ? null : decodeParts('trash', cursor).map(Number)
    const encode = ({ trashed_at, seq }: ListedRow) => encodeCursor('trash', trashed_at ?? 0, seq)
    return { rows: await findImages(db, viewer, input, before), encode }
  }
  const kind = filter === 'shared' ? 'shared' : 'image'
  const before = cursor === undefined ? null : [decodeCursor(kind, cursor)]
  const rows =
    filter === 'shared'
      ? await findSharedImages(db, viewer, limit, before?.[0])
      : await findImages(db, viewer, input, before)
  return { rows, encode: ({ position }) => encodeCursor(kind, position) }
}

/**
 * Finds images newest first, in the trash the one that was last deleted first, after a position: `seq`, in the trash
 * behind the time.
 */
function findImages(
  db: Database,
  viewer: Viewer,
  { filter, limit }: Pick<ListInput, 'filter' | 'limit'>,
  before: readonly number[] | null,
): Promise<ListedRow[]> {
  const isTrash = filter === 'trash'
  const keys = isTrash ? (['images.trashed_at', 'images.seq'] as const) : (['images.seq'] as const)
  let candidates = db
    .selectFrom('images')
    .select(['seq', 'trashed_at', imageTextBytes.as('bytes')])
    .where('owner_id', '=', viewer.id)
    .where('withdrawn_at', 'is', null)
    .where('trashed_at', isTrash ? 'is not' : 'is', null)
    .limit(limit + 1)
  // Not a parameter, with which the planner would not use the index of failed images.
  if (filter === 'failed') candidates = candidates.where('state', '=', sql.lit<ImageState>('failed'))
  if (before)
    candidates = candidates.where(sql<boolean>`(${sql.join(keys.map(sql.ref))}) < (${sql.join(before)})`)
  for (const key of keys) candidates = candidates.orderBy(key, 'desc')
  const order = isTrash ? sql`trashed_at desc, seq desc` : sql`seq desc`
  let page = db
    .selectFrom('images')
    .innerJoin(sizedRows(db, candidates, order).as('sized'), 'sized.seq', 'images.seq')
    .selectAll('images')
    .select(['sized.seq as position', 'sized.found'])
    .where('sized.bytesBefore', '<', pageTextBytes(limit))
    .limit(limit)
  for (const key of keys) page = page.orderBy(key, 'desc')
  return page.execute()
}

/** Finds images with posts, generated and uploaded ones, the one that was last shared first. */
function findSharedImages(
  db: Database,
  viewer: Viewer,
  limit: number,
  before: number | undefined,
): Promise<ListedRow[]> {
  let newest = db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .select(['posts.seq', imageTextBytes.as('bytes')])
    .where('posts.author_id', '=', viewer.id)
    .where('posts.withdrawn_at', 'is', null)
    .where('images.withdrawn_at', 'is', null)
    .where('images.trashed_at', 'is', null)
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
  if (before !== undefined) newest = newest.where('posts.seq', '<', before)
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
    .select((eb) => ['id', 'image_id', eb.fn.coalesce('trashed_visibility', 'visibility').as('visibility')])
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

/** Deletes the viewer's failed images, and returns their number. */
export async function deleteFailedImages(db: Database, viewer: Viewer): Promise<{ deleted: number }> {
  const { numDeletedRows } = await db
    .deleteFrom('images')
    .where('owner_id', '=', viewer.id)
    .where('state', '=', sql.lit<ImageState>('failed'))
    .executeTakeFirst()
  return { deleted: Number(numDeletedRows) }
}

/** Column `recipe` of an image: settings that have no column of their own. Unknown and unused ones are absent. */
export type StoredRecipe = {
  readonly [Name in Exclude<keyof Recipe, 'engine' | 'prompt' | 'remixOf'>]?: NonNullable<Recipe[Name]>
} & {
  readonly maskImageId?: string
  /** SHA-256 of the settings of the request, if it had a key. */
  readonly requestDigest?: string | undefined
}

/** Parses the stored recipe of an image; empty if it has none. */
export function storedRecipe({ recipe }: Pick<ImageRow, 'recipe'>): StoredRecipe {
  return recipe === null ? {} : (JSON.parse(recipe) as StoredRecipe)
}

/** Returns the recipe of an image as its owner sees it; null for an upload. */
export function recipeOf(row: ImageRow): Recipe | null {
  if (row.engine === null) return null
  const { maskImageId: _mask, requestDigest: _digest, ...stored } = storedRecipe(row)
  return {
    engineLabel: '',
    negativePrompt: '',
    size: row.width && row.height ? `${row.width}x${row.height}` : null,
    seed: null,
    steps: null,
    sampler: null,
    scheduler: null,
    cfgScale: null,
    strength: null,
    referenceImageIds: [],
    drawnFrom: null,
    notDrawn: null,
    ...stored,
    engine: row.engine,
    model: row.model ?? '',
    prompt: row.prompt,
    remixOf: row.remix_of,
  }
}

/** Returns the kind of the engine that generated an image, also if it is not configured any more; null for an upload. */
export function engineKindOf(row: Pick<ImageRow, 'engine' | 'engine_kind'>): EngineKind | null {
  return row.engine_kind ?? engineKinds.find((kind) => kind === row.engine) ?? null
}

/** Returns the producer that an image's row names; null for an upload. */
export function producerOf(row: Pick<ImageRow, 'engine' | 'engine_kind' | 'model'>): ImageProducer | null {
  const kind = engineKindOf(row)
  return kind && row.model !== null ? { kind, model: row.model } : null
}
