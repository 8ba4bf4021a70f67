import { sql, type ExpressionBuilder } from 'kysely'
import { photoPath } from '../../shared/image-files.ts'
import { saysAiMade, type ImageMarks } from '../../shared/marks.ts'
import type { Image, ImageState, Recipe } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { engineKinds, type EngineKind } from '../../shared/engines.ts'
import type { Database } from '../db/open-database.ts'
import type { RowOf, Schema } from '../db/schema.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { keptSourceType } from '../formats/marks.ts'
import { imageXmp, markXmp, type ImageProducer } from '../formats/xmp.ts'
import { isoTime } from '../text/iso-time.ts'
import { dollarsOf } from './budget.ts'

declare const owned: unique symbol

/** Value that belongs to the user of the request. Only queries that check the owner create one. */
export type Owned<Value> = Value & { readonly [owned]: true }

export type ImageRow = RowOf<'images'>

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
    credentialsUrl: credentialsPath(row),
    isAiMade: isAiMade(row),
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
    engine: row.engine ?? '',
    engineKind: engineKindOf(row),
    model: row.model ?? '',
    recipe: recipeOf(row),
    cost: row.cost_micros === null ? null : dollarsOf(row.cost_micros),
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
  /** SHA-256 of the settings of the request, if it had a key. */
  readonly requestDigest?: string | undefined
}

export function storedRecipe({ recipe }: Pick<ImageRow, 'recipe'>): StoredRecipe {
  return recipe === null ? {} : (JSON.parse(recipe) as StoredRecipe)
}

/** Returns the ids of the images that parameters of a recipe are, by name. */
export function parameterImagesOf({
  parameters = {},
  parameterTypes = {},
}: StoredRecipe): readonly (readonly [string, string])[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    parameterTypes[name] === 'image' ? [[name, String(value)] as const] : [],
  )
}

/** Returns the recipe of an image as its owner sees it; null for an upload. */
export function recipeOf(row: ImageRow): Recipe | null {
  if (row.engine === null) return null
  const { requestDigest: _digest, ...stored } = storedRecipe(row)
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

/** Parses what the metadata of an upload said; null for nothing, and for a generated image. */
export function marksOf({ marks }: Pick<ImageRow, 'marks'>): ImageMarks | null {
  return marks === null ? null : (JSON.parse(marks) as ImageMarks)
}

/** Reports whether an AI model made an image, as far as that is known; see `Post`. */
export function isAiMade(row: Pick<ImageRow, 'engine' | 'engine_kind' | 'marks'>): boolean | null {
  const kind = engineKindOf(row)
  if (kind) return kind !== 'rangoli'
  const marks = marksOf(row)
  return marks && saysAiMade(marks) ? true : null
}

/** Returns the path of the file with Content Credentials that is stored beside the original; null for none. */
export function credentialsPath({ folder, credentials }: Pick<ImageRow, 'folder' | 'credentials'>) {
  return folder && credentials && photoPath(folder, credentials)
}

/** Columns of an image that its files name as their source. */
export const sourceColumns = ['engine', 'engine_kind', 'model', 'marks'] as const

export type SourceRow = Pick<ImageRow, (typeof sourceColumns)[number]>

/** Builds the XMP of the files of an image: its producer, or the mark of an upload; undefined for an upload without one. */
export function fileXmp(row: SourceRow): string | undefined {
  const producer = producerOf(row)
  if (producer) return imageXmp(producer)
  const marks = marksOf(row)
  const type = marks && keptSourceType(marks)
  return type ? markXmp(type) : undefined
}
