import { sql, type RawBuilder } from 'kysely'
import type { ImageShape } from '../../shared/image-files.ts'
import type { PostPage, PostSort } from '../../shared/posts.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { dayOf, isListed, readGalleryState, type GalleryState } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { contains } from '../db/prompt-index.ts'
import { countRows } from '../db/rows.ts'
import { decodeCursor, decodeParts, encodeCursor, isBelow, isOneOf, type Rank } from '../db/pagination.ts'
import type { PostQuery } from './inputs.ts'
import { readPlaces } from './post-queries.ts'
import { searchTerm } from '../text/search-text.ts'
import type { PostRange } from './search/post-index.ts'
import type { PostsServices } from './services.ts'

type ListServices = Pick<PostsServices, 'db' | 'postIndex' | 'matchCounts' | 'now'>

/** Limit from which reading a page takes as long as a query of a search, and is scheduled like one. */
const longPageLimit = 100

/** Number of posts of a list that are compared with a term without the index, first or if there are no more. */
const comparedPosts = 500

/**
 * Lists one page of the listed posts with the total number of matches. A page ends early if its texts are long.
 * @throws AppError `bad_input` for a cursor, `canceled` when the caller has disconnected
 */
export async function listPosts(
  services: ListServices,
  query: PostQuery,
  signal?: AbortSignal,
): Promise<PostPage> {
  const { db, postIndex, matchCounts } = services
  const { sort, limit } = query
  const position = toPosition(query)
  const state = await readGalleryState(db)
  const list = await openList(services, query, state)
  const { range } = list
  const term = searchTerm(query.search)
  /** Searches the list: by comparing its posts if they are few, otherwise with the index. */
  async function search(): Promise<SearchResult> {
    const compare = (places: Places) =>
      postIndex.runLongQuery(signal, () => selectContaining(db, places, term, limit + 1))
    const result = (matches: readonly number[], count: () => Promise<number>): SearchResult => {
      const areAll = matches.length <= limit && position.before === null && position.after === 0
      return { matches, count: areAll ? () => Promise.resolve(matches.length) : count }
    }
    if (list.isComparable && list.size <= comparedPosts) {
      return result(await compare(list.select(position, null)), () =>
        postIndex.runLongQuery(signal, () => countRows(containing(db, list.select(start, null), term))),
      )
    }
    const count = () => matchCounts.count(term, range, state, signal)
    if (sort === 'new') {
      const part = { ...range, after: position.after, upTo: lastOf(position, state) }
      return result(await postIndex.findMatches(term, part, limit + 1, signal), count)
    }
    // Most terms fill a page with the most liked posts.
    const first = await compare(list.select(position, comparedPosts))
    if (first.length > limit) return result(first, count)
    return result(await postIndex.findTopMatches(term, range, position.before, limit + 1, signal), count)
  }

  const found = term ? await search() : null
  const places = found ? placesOf(db, sort, found.matches) : list.select(position, limit + 1)
  const read = () => readPage(db, places, query)
  const isLong = limit >= longPageLimit || list.isLong
  const { posts, nextCursor } = await (isLong ? postIndex.runLongQuery(signal, read) : read())
  const total = found ? await found.count() : list.size
  return { posts, nextCursor, total: Math.max(total, posts.length) }
}

interface Position {
  /** Rank of the last post of the previous page; without likes in a list of the newest. */
  readonly before: Rank | null
  /** `seq` that the page ends before; 0 for none. */
  readonly after: number
}

/** @throws AppError `bad_input` for an invalid cursor */
function toPosition({ sort, cursor, until }: PostQuery): Position {
  const after = until === undefined ? 0 : decodeCursor('post', until) - 1
  if (cursor === undefined) return { before: null, after }
  if (sort === 'new') return { before: { likes: 0, seq: decodeCursor('post', cursor) }, after }
  const [likes, seq] = decodeParts('top', cursor)
  return { before: { likes, seq: Number(seq) }, after }
}

/** Selects `seq` and, in a list of the most liked, likes of posts: the first ones of a list. */
type Places = RawBuilder<Rank>

/** A list of posts without a search. */
interface PostList {
  readonly range: PostRange
  readonly size: number
  /** True if a search compares its posts if they are few. The newest of all are searched with the index. */
  readonly isComparable: boolean
  /** True if reading a page may take milliseconds. */
  readonly isLong: boolean
  select(position: Position, limit: number | null): Places
}

const periodDays = { week: 7, month: 30 } as const

async function openList(
  { db, now }: ListServices,
  { sort, period, authorId, collectionId, remixOf, shape, engine, isLiked }: PostQuery,
  state: GalleryState,
): Promise<PostList> {
  const since =
    sort === 'new' || period === undefined || period === 'all'
      ? undefined
      : dayOf(now()) - periodDays[period] + 1
  const totals = (shape ?? engine ?? isLiked) === undefined ? null : await facetTotals(db, shape, engine)
  const facets = (shape ?? engine) === undefined ? undefined : totals?.map(({ facet }) => facet)
  const range = { after: 0, upTo: state.newest, authorId, since, facets }
  const isComparable = sort === 'top' || authorId !== undefined || facets !== undefined
  const listed = (size: number, select: PostList['select'], isLong = false): PostList => {
    return { range, isComparable, isLong, size, select }
  }
  const hasLikes = isLiked ? sql`likes > 0` : sql`true`
  const selectOf = (conditions: readonly RawBuilder<unknown>[]) =>
    sort === 'new' ? newestOf(state, conditions) : mostLiked(conditions)
  if (collectionId !== undefined) {
    const collection = db.selectFrom('collections').select('listed_posts').where('id', '=', collectionId)
    const { listed_posts } = await collection.executeTakeFirstOrThrow()
    return listed(listed_posts, mostLikedOfCollection(collectionId), true)
  }
  if (remixOf !== undefined) {
    const isRemix = sql<boolean>`parent_id = ${remixOf}`
    const remixes = db.selectFrom('posts').where(isListed()).where(isRemix)
    return listed(await countRows(remixes), newest(state, isRemix))
  }
  if (totals && authorId === undefined && since === undefined) {
    const size = totals.reduce((sum, { posts, liked }) => sum + (isLiked ? liked : posts), 0)
    const ranges = facets?.map((facet) => sql`facet = ${facet} AND ${hasLikes}`) ?? [hasLikes]
    return listed(size, selectOf(ranges.length > 0 ? ranges : [sql`false`]))
  }
  const ofAuthor = authorId === undefined ? sql<boolean>`true` : sql<boolean>`author_id = ${authorId}`
  if (totals || (authorId !== undefined && since !== undefined)) {
    // The expression keeps the indexes of facets out of the plan: those of the author or of the days have fewer posts.
    const ofFacets = facets ? sql`(facet || '') IN (${sql.join(['', ...facets])})` : sql`true`
    const narrow = sql<boolean>`${ofAuthor} AND ${ofFacets} AND ${hasLikes}`
    const ofPeriod = since === undefined ? narrow : sql<boolean>`day >= ${since} AND ${narrow}`
    const size = await countRows(db.selectFrom('post_stats').where(sql<boolean>`listed = 1 AND ${ofPeriod}`))
    if (authorId !== undefined || since === undefined) return listed(size, selectOf([ofPeriod]), true)
    const days = (await daysSince(db, since)).map(({ day }) => day)
    return listed(size, mostLikedOfDays(db, days, narrow), true)
  }
  if (authorId !== undefined) {
    const select = sort === 'new' ? newest(state, ofAuthor) : mostLiked([ofAuthor])
    const total = db.selectFrom('author_totals').select('posts').where('author_id', '=', authorId)
    return listed((await total.executeTakeFirst())?.posts ?? 0, select)
  }
  if (since !== undefined) {
    const totalsOfDays = await daysSince(db, since)
    const days = totalsOfDays.map(({ day }) => day)
    return listed(
      totalsOfDays.reduce((sum, { posts }) => sum + posts, 0),
      mostLikedOfDays(db, days),
    )
  }
  return listed(state.posts, sort === 'new' ? newest(state) : mostLiked([sql`true`]))
}

/** Reads the numbers of posts of each shape and engine that a list has. */
async function facetTotals(db: Database, shape?: ImageShape, engine?: string) {
  const all = await db.selectFrom('facet_totals').selectAll().orderBy('facet').execute()
  return all.filter(({ facet }) => {
    const space = facet.indexOf(' ')
    return (
      (shape === undefined || facet.slice(0, space) === shape) &&
      (engine === undefined || facet.slice(space + 1) === engine)
    )
  })
}

function daysSince(db: Database, day: number) {
  return db.selectFrom('day_totals').selectAll().where('day', '>=', day).execute()
}

/** Creates the `select` of a list of the newest posts that meet a condition on `posts`. */
function newest(state: GalleryState, condition = sql<boolean>`true`): PostList['select'] {
  return (position, limit) => sql`
    SELECT seq, 0 AS likes FROM posts
    WHERE ${isListed()} AND ${condition} AND ${isAt(position, state)} ${newestFirst(limit)}`
}

/** Creates the `select` of a list of the newest posts that meet one of these conditions on `post_stats`, like `mostLiked`. */
function newestOf(state: GalleryState, conditions: readonly RawBuilder<unknown>[]): PostList['select'] {
  return (position, limit) =>
    merged(conditions, [isAt(position, state)], sql`seq, 0 AS likes`, newestFirst(limit))
}

/**
 * Creates the `select` of a list of the most liked posts that meet one of these conditions on `post_stats`. It merges the
 * first posts of index ranges, so that the cost does not depend on their lengths. The posts below a rank are two of them:
 * SQLite would read all posts with as many likes.
 */
function mostLiked(conditions: readonly RawBuilder<unknown>[]): PostList['select'] {
  return ({ before }, limit) => {
    const below = before
      ? [sql`likes = ${before.likes} AND seq < ${before.seq}`, sql`likes < ${before.likes}`]
      : [sql`true`]
    return merged(conditions, below, sql`seq, likes`, mostLikedFirst(limit))
  }
}

/** Merges the first posts of the index ranges of `post_stats` that a condition and a part of the positions make. */
function merged(
  conditions: readonly RawBuilder<unknown>[],
  parts: readonly RawBuilder<unknown>[],
  columns: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Places {
  const ranges = conditions.flatMap((condition) =>
    parts.map(
      (part) => sql`
        SELECT * FROM (
          SELECT ${columns} FROM post_stats WHERE listed = 1 AND ${condition} AND ${part} ${order}
        ) AS range`,
    ),
  )
  return sql`SELECT seq, likes FROM (${sql.join(ranges, sql` UNION ALL `)}) AS ranges ${order}`
}

function mostLikedOfDays(
  db: Database,
  days: readonly number[],
  condition = sql<boolean>`true`,
): PostList['select'] {
  if (dialectOf(db) === 'sqlite') {
    return mostLiked(days.length > 0 ? days.map((day) => sql`day = ${day} AND ${condition}`) : [sql`false`])
  }
  // One range in the plan, since planning 60 takes longer than reading them.
  return ({ before }, limit) => {
    const order = mostLikedFirst(limit)
    return sql`
      SELECT range.seq, range.likes FROM unnest(${days}::bigint[]) AS days (day) CROSS JOIN LATERAL (
        SELECT seq, likes FROM post_stats
        WHERE listed = 1 AND post_stats.day = days.day AND ${condition} AND ${isBelow(before)} ${order}
      ) AS range ${order}`
  }
}

/** The order of the joins is that of SQLite, which would else read all posts by likes. */
function mostLikedOfCollection(collectionId: string): PostList['select'] {
  return ({ before }, limit) => sql`
    SELECT post_stats.seq AS seq, post_stats.likes AS likes FROM collection_posts AS entries
    CROSS JOIN posts CROSS JOIN post_stats
    WHERE entries.collection_id = ${collectionId} AND entries.listed = 1 AND posts.id = entries.post_id
      AND post_stats.seq = posts.seq AND post_stats.listed = 1 AND ${isBelow(before)} ${mostLikedFirst(limit)}`
}

function mostLikedFirst(limit: number | null) {
  return sql`ORDER BY likes DESC, seq DESC ${limited(limit)}`
}

function newestFirst(limit: number | null) {
  return sql`ORDER BY seq DESC ${limited(limit)}`
}

function limited(limit: number | null) {
  return limit === null ? sql`` : sql`LIMIT ${limit}`
}

/** Creates the condition that posts are at a position of a list of the newest. */
function isAt(position: Position, state: GalleryState) {
  return sql`seq > ${position.after} AND seq <= ${lastOf(position, state)}`
}

/** Returns the highest `seq` at a position of a list of the newest. */
function lastOf({ before }: Position, { newest: last }: GalleryState): number {
  return before ? Math.min(before.seq - 1, last) : last
}

interface SearchResult {
  /** `seq` of the first matches, one more than the limit if there are more. */
  readonly matches: readonly number[]
  readonly count: () => Promise<number>
}

const start: Position = { before: null, after: 0 }

function containing(db: Database, places: Places, term: string) {
  return db
    .selectFrom(sql<Rank>`(${places})`.as('places'))
    .innerJoin('posts', 'posts.seq', 'places.seq')
    .where(contains(db, 'posts.search_text', term))
}

async function selectContaining(
  db: Database,
  places: Places,
  term: string,
  limit: number,
): Promise<number[]> {
  const rows = await containing(db, places, term)
    .select('places.seq')
    .orderBy('places.likes', 'desc')
    .orderBy('places.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ seq }) => seq)
}

/** Selects posts of a list by their `seq`. */
function placesOf(db: Database, sort: PostSort, seqs: readonly number[]): Places {
  const isMatch = isOneOf(db, 'seq', seqs, 'bigint')
  return sort === 'new'
    ? sql`SELECT seq, 0 AS likes FROM posts WHERE ${isListed()} AND ${isMatch}`
    : sql`SELECT seq, likes FROM post_stats WHERE listed = 1 AND ${isMatch}`
}

async function readPage(
  db: Database,
  places: Places,
  { sort, limit }: PostQuery,
): Promise<Pick<PostPage, 'posts' | 'nextCursor'>> {
  const { posts, last } = await readPlaces(db, places, 'likes', limit)
  if (!last) return { posts, nextCursor: null }
  const nextCursor =
    sort === 'top' ? encodeCursor('top', last.rank, last.seq) : encodeCursor('post', last.seq)
  return { posts, nextCursor }
}

/** `seq` numbers of a part, hence at most as many posts. Rendering as many takes about 10 ms. */
const partLength = 2_000

/** Lists the parts of the sitemap that have listed posts, by one look into the index for each. */
export async function listSitemapParts(db: Database): Promise<number[]> {
  const firstFrom = (seq: ReturnType<typeof sql>) => sql`
    (SELECT seq / ${sql.lit(partLength)} FROM posts WHERE ${isListed()} AND seq >= ${seq} ORDER BY seq LIMIT 1)`
  const { rows } = await sql<{ part: number }>`
    WITH RECURSIVE parts (part) AS (
      SELECT ${firstFrom(sql`0`)}
      UNION ALL
      SELECT ${firstFrom(sql`(part + 1) * ${sql.lit(partLength)}`)} FROM parts WHERE part IS NOT NULL
    )
    SELECT part FROM parts WHERE part IS NOT NULL`.execute(db)
  return rows.map(({ part }) => part)
}

/** Lists the posts of a part of the sitemap, with the times of their last changes in milliseconds since 1970. */
export function listSitemapPosts(db: Database, part: number) {
  return db
    .selectFrom('posts')
    .select(['id', sql<number>`coalesce(prompt_edited_at, created_at)`.as('changedAt')])
    .where(isListed())
    .where('seq', '>=', part * partLength)
    .where('seq', '<', (part + 1) * partLength)
    .orderBy('seq')
    .execute()
}
