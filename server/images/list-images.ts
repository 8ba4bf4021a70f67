import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { z } from 'zod'
import { trashDays, type ImageFilter, type ImagePage, type OwnPost } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { decodeParts, encodeCursor, isOneOf, pageTextBytes, sizedRows } from '../db/pagination.ts'
import { contains, slicesWith, type Slice } from '../db/prompt-index.ts'
import { countRows, hasRows } from '../db/rows.ts'
import type { imageMonthsInput, listImagesInput } from './inputs.ts'
import { isoTime } from '../text/iso-time.ts'
import { toImage, type ImageRow } from './images.ts'
import type { Call } from '../procedures/procedures.ts'
import type { Needs } from './services.ts'

type ListServices = Needs<'db' | 'matchingImages'>
type ListInput = z.output<typeof listImagesInput>
type MonthsInput = z.output<typeof imageMonthsInput>

/** Images of a viewer, without the pages. */
type List = MonthsInput & Partial<Pick<ListInput, 'from' | 'to'>> & { readonly ownerId: string }

/** Numbers of images by month, such as 202611, the newest first. */
type Months = ReadonlyMap<number, number>

/**
 * How images of a filter are found in `images`, by literals, since the planner uses no partial index otherwise; how they are counted
 * in `image_totals`; and the column by which they are ordered before `seq`, the highest value first.
 */
const filters = {
  all: {
    cursor: 'image',
    key: sql<number>`images.created_at`,
    isIn: sql`images.trashed_at IS NULL`,
    isCounted: sql<boolean>`list <> 'trash'`,
  },
  failed: {
    cursor: 'image',
    key: sql<number>`images.created_at`,
    isIn: sql`images.trashed_at IS NULL AND images.state = 'failed'`,
    isCounted: sql<boolean>`list = 'failed'`,
  },
  shared: {
    cursor: 'shared',
    key: sql<number>`images.shared_seq`,
    isIn: sql`images.trashed_at IS NULL AND images.shared_seq IS NOT NULL`,
    isCounted: sql<boolean>`list <> 'trash' AND shared = 1`,
  },
  trash: {
    cursor: 'trash',
    key: sql<number>`images.trashed_at`,
    isIn: sql`images.trashed_at IS NOT NULL`,
    isCounted: sql<boolean>`list = 'trash'`,
  },
} as const satisfies Record<ImageFilter, object>

/** Images of a list that are compared with a term before the index is asked: most terms fill a page with the first ones. */
const comparedImages = 500

/** Searches of the index at once. Together they leave connections of the pool to other requests. */
const indexSearches = pLimit(2)

/** Lists images of the viewer with their posts. A page has fewer entries if its prompts are long. */
export async function listImages(
  services: ListServices & Needs<'readOptions'>,
  viewer: Viewer,
  { cursor, limit, ...query }: ListInput,
): Promise<ImagePage> {
  const { db, readOptions } = services
  const list = { ...query, ownerId: viewer.id }
  const { cursor: kind } = filters[list.filter]
  const before = cursor === undefined ? null : decodeParts(kind, cursor).map(Number)
  const months = await countMonths(services, list)
  const rows = await findPage(db, list, before, limit, months)
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
    total: sumOf(months),
    nextCursor: last && last.found > rows.length ? encodeCursor(kind, last.key, last.seq) : null,
  }
}

/** Counts the images of a list by month in UTC, such as `2026-11`, the newest first, without canceled ones. */
export async function listImageMonths({ ctx, input }: Call<ListServices, MonthsInput>) {
  const months = await countMonths(ctx.services, { ...input, ownerId: ctx.viewer.id })
  return {
    months: [...months].map(([month, count]) => ({
      month: `${String(month).slice(0, -2)}-${String(month).slice(-2)}`,
      count,
    })),
  }
}

/** Reports whether a list is narrowed by what canceled images are not found by. */
function isNarrowed({ search, engine, shape }: List): boolean {
  return search !== '' || engine !== undefined || shape !== undefined
}

function sumOf(months: Months): number {
  return [...months.values()].reduce((sum, count) => sum + count, 0)
}

/** Creates the condition on `images` that a list has them. */
function isInList(list: List): RawBuilder<boolean> {
  const { ownerId, filter, engine, shape, from, to } = list
  const conditions = [
    sql`images.owner_id = ${ownerId} AND images.withdrawn_at IS NULL AND images.for_edit = 0`,
    filters[filter].isIn,
    ...(isNarrowed(list) ? [sql`images.list IS NOT NULL`] : []),
    ...(engine === undefined ? [] : [engine ? sql`images.engine = ${engine}` : sql`images.engine IS NULL`]),
    ...(shape === undefined ? [] : [sql`images.shape = ${shape}`]),
    ...(from === undefined ? [] : [sql`images.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`images.created_at < ${to}`]),
  ]
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`
}

interface Place {
  readonly key: number
  readonly seq: number
}

/** Bytes of the texts of an image in a response: the prompt is in the recipe, too. */
const textBytes = sql<number>`2 * octet_length(images.prompt) + coalesce(octet_length(images.recipe), 0)`

/** Finds the rows of a page, and the number of candidates for it. */
async function findPage(
  db: Database,
  list: List,
  before: readonly number[] | null,
  limit: number,
  months: Months,
): Promise<readonly (ImageRow & Place & { readonly found: number })[]> {
  // To find no image of a rare kind, all others would be read.
  if (isNarrowed(list) && months.size === 0) return []
  const { key } = filters[list.filter]
  const isAfterCursor = before
    ? sql<boolean>`(${key}, images.seq) < (${sql.join(before)})`
    : sql<boolean>`true`
  const inList = sql<boolean>`${isInList(list)} AND ${isAfterCursor}`
  const isCandidate = list.search
    ? isOneOf(db, 'images.seq', await findMatches(db, list, inList, limit + 1), 'bigint')
    : inList
  const candidates = db
    .selectFrom('images')
    .select(['images.seq', key.as('key'), textBytes.as('bytes')])
    .where(isCandidate)
    .orderBy(key, 'desc')
    .orderBy('images.seq', 'desc')
    .limit(limit + 1)
  return db
    .selectFrom('images')
    .innerJoin(sizedRows(db, candidates, sql`key desc, seq desc`).as('sized'), 'sized.seq', 'images.seq')
    .selectAll('images')
    .select([key.as('key'), 'sized.found'])
    .where('sized.bytesBefore', '<', pageTextBytes(limit))
    .orderBy(key, 'desc')
    .orderBy('images.seq', 'desc')
    .limit(limit)
    .execute()
}

/** Finds the first images of a list with its term, by their `seq`: among its first ones, or else with the index. */
async function findMatches(
  db: Database,
  list: List,
  inList: RawBuilder<boolean>,
  limit: number,
): Promise<readonly number[]> {
  const { key } = filters[list.filter]
  const first = db
    .selectFrom('images')
    .select(['images.seq', key.as('key'), 'images.search_text'])
    .where(inList)
    .orderBy(key, 'desc')
    .orderBy('images.seq', 'desc')
    .limit(comparedImages)
  const compared = await db
    .selectFrom(first.as('first'))
    .select('seq')
    .where(contains(db, 'first.search_text', list.search))
    .orderBy('key', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  const isFilled = compared.length === limit
  if (isFilled || (await countRows(db.selectFrom(first.as('first')))) < comparedImages)
    return compared.map(({ seq }) => seq)
  return indexSearches(async () => {
    let found: Place[] = []
    for await (const slice of slicesWith(db, list.ownerId, list.search)) {
      const matches = await db
        // Otherwise the index of the order would look cheap.
        .with(
          (cte) => cte('matches').materialized(),
          (cte) =>
            cte
              .selectFrom('images')
              .select(['images.seq', key.as('key')])
              .where(inList)
              .where(isInSlice(db, slice, list.search)),
        )
        .selectFrom('matches')
        .selectAll()
        .orderBy('key', 'desc')
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute()
      found = [...found, ...matches].sort((a, b) => b.key - a.key || b.seq - a.seq).slice(0, limit)
      const last = found.at(-1)
      if (found.length < limit || !last) continue
      // Images of the next slices come before the last one only if they are older, and yet listed first.
      const others = db
        .selectFrom('images')
        .select('images.seq')
        .where(inList)
        .where('images.seq', '<', slice.from)
      if (!(await hasRows(others.where(key, '>', last.key)))) break
    }
    return found.map(({ seq }) => seq)
  })
}

function isInSlice(db: Database, { isCandidate, isExact }: Slice, term: string): RawBuilder<boolean> {
  return isExact ? isCandidate : sql<boolean>`${isCandidate} AND ${contains(db, 'images.search_text', term)}`
}

/** Numbers of images with a term by month, which are counted again once anything has changed. */
export class MatchingImages {
  readonly #counted = new LRUCache<string, Promise<Months>>({ max: 1_000 })

  count(db: Database, list: List, size: number, version: number): Promise<Months> {
    const key = JSON.stringify([list, version])
    const cached = this.#counted.get(key)
    if (cached) return cached
    const counted =
      size <= comparedImages
        ? countIn(db, list, contains(db, 'images.search_text', list.search))
        : indexSearches(() => countWithIndex(db, list))
    this.#counted.set(key, counted)
    counted.catch(() => this.#counted.delete(key))
    return counted
  }
}

async function countWithIndex(db: Database, list: List): Promise<Months> {
  const months = new Map<number, number>()
  for await (const slice of slicesWith(db, list.ownerId, list.search)) {
    for (const [month, count] of await countIn(db, list, isInSlice(db, slice, list.search)))
      months.set(month, (months.get(month) ?? 0) + count)
  }
  return new Map([...months].sort(([a], [b]) => b - a))
}

async function countIn(db: Database, list: List, condition: RawBuilder<boolean>): Promise<Months> {
  const rows = await db
    .selectFrom('images')
    .select((eb) => ['month', eb.fn.countAll<number>().as('images')])
    .where(isInList(list))
    .where('list', 'is not', null)
    .where(condition)
    .groupBy('month')
    .orderBy('month', 'desc')
    .execute()
  return new Map(rows.map(({ month, images }) => [month, images]))
}

/** Counts the images of a list by month: from the totals that triggers maintain or, with a search, once until a change. */
async function countMonths({ db, matchingImages }: ListServices, list: List): Promise<Months> {
  const { from = -Infinity, to = Infinity, ...whole } = list
  const { ownerId, filter, engine, shape } = whole
  const totals = await db
    .selectFrom('image_totals')
    .select((eb) => [
      'month',
      eb.fn.sum<number | string>('images').as('images'),
      eb.fn.sum<number | string>('version').as('version'),
    ])
    .where(({ and }) =>
      and({
        owner_id: ownerId,
        ...(engine !== undefined && { engine }),
        ...(shape !== undefined && { shape }),
      }),
    )
    .where(filters[filter].isCounted)
    .groupBy('month')
    .orderBy('month', 'desc')
    .execute()
  let counted: Months = new Map(totals.map(({ month, images }) => [month, Number(images)]))
  if (list.search && counted.size > 0) {
    const version = totals.reduce((sum, row) => sum + Number(row.version), 0)
    counted = await matchingImages.count(db, whole, sumOf(counted), version)
  }
  const months = new Map<number, number>()
  for (const [month, images] of counted) {
    const [start, end] = [startOf(month), startOf(month + 1)]
    if (end <= from || start >= to) continue
    const part = { ...list, from: Math.max(start, from), to: Math.min(end, to) }
    const count = start >= from && end <= to ? images : sumOf(await countPart(db, part))
    if (count > 0) months.set(month, count)
  }
  return months
}

function countPart(db: Database, part: List): Promise<Months> {
  return countIn(db, part, part.search ? contains(db, 'images.search_text', part.search) : sql<boolean>`true`)
}

/** Returns the start of a month such as 202611, in milliseconds since 1970. */
function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 100), (month % 100) - 1)
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
