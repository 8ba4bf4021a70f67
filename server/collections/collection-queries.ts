import { sql, type SqlBool } from 'kysely'
import type { Collection, CollectionPage } from '../../shared/collections.ts'
import { reportReasons, type ReportReason } from '../../shared/moderation.ts'
import {
  collectionNotFound,
  coverOf,
  visibleEntry,
  hasJoined,
  selectVisibleCollection,
  visiblePostCount,
  type CollectionViewer,
} from '../access/visible-collection.ts'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { decodeCursor, encodeCursor, isOneOf, isSelectedBy, pageOf } from '../db/pagination.ts'
import { contains } from '../db/prompt-index.ts'
import { selectPosts, toPost } from '../posts/post-queries.ts'
import { isoTime } from '../text/iso-time.ts'
import type { CollectionQuery } from './inputs.ts'
import type { CollectionsServices } from './services.ts'

type ReadServices = Pick<CollectionsServices, 'db' | 'now' | 'plannedChanges'>

/** Reads a collection. @throws AppError `not_found` for one that the viewer does not see */
export async function readCollection(
  services: ReadServices,
  id: string,
  viewer: CollectionViewer,
): Promise<Collection> {
  const row = await selectVisibleCollection(services.db, id, viewer)
    .select('collections.id')
    .executeTakeFirst()
  const [collection] = row ? await describeCollections(services, [row.id], viewer) : []
  if (!collection) throw collectionNotFound()
  return collection.isHidden
    ? { ...collection, hiddenNotice: await readNotice(services.db, collection) }
    : collection
}

/** Reads why a collection is hidden. */
async function readNotice(db: Database, { id, ownerId, createdAt }: Collection) {
  const decision = await db
    .selectFrom('admin_log')
    .select(['details', 'created_at'])
    .where('user_id', '=', ownerId)
    .where('action', '=', 'hide_collection')
    .where('details', 'like', `{"collection":"${id}"%`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { text: note = '' } = JSON.parse(decision?.details ?? '{}') as { readonly text?: string }
  const decidedAt = isoTime(decision?.created_at ?? null) ?? createdAt
  const reasons = await readReportReasons(db, id)
  return { state: 'hidden', reasons, note, createdAt: decidedAt, appeal: null } as const
}

export async function readReportReasons(db: Database, id: string): Promise<readonly ReportReason[]> {
  const reports = db.selectFrom('collection_reports').where('collection_id', '=', id)
  const reasons = await reports.select('reason').distinct().execute()
  return reportReasons.filter((one) => reasons.some(({ reason }) => reason === one))
}

/**
 * Lists one page of collections, newest first: the public ones, also if they have no posts; of the viewer, all.
 * @throws AppError `bad_input` for a cursor
 */
export async function listCollections(
  services: ReadServices,
  viewer: CollectionViewer,
  { ownerId, isMine, postId, search, cursor, limit }: CollectionQuery,
): Promise<CollectionPage> {
  const { db } = services
  const isOwn = viewer !== null && ownerId === viewer.id
  const before = cursor === undefined ? null : decodeCursor('collection', cursor)
  const rows = await db
    .selectFrom('collections')
    .select(['collections.id', 'collections.seq'])
    .$if(!isOwn && !isMine, (query) => query.where(isListed('collections')))
    .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
    .$if(isMine === true, (query) =>
      query.where(viewer ? isSelectedBy(db, 'collections.id', ofContributor(viewer)) : sql<boolean>`false`),
    )
    .$if(search !== '', (query) => query.where(contains(db, 'collections.search_text', search)))
    .$if(before !== null, (query) => query.where('collections.seq', '<', before ?? 0))
    .orderBy('collections.seq', 'desc')
    .limit(limit + 1)
    .execute()
  const { page, nextCursor } = pageOf(rows, limit, ({ seq }) => encodeCursor('collection', seq))
  const ids = page.map(({ id }) => id)
  return { collections: await describeCollections(services, ids, viewer, postId), nextCursor }
}

/** Selects the ids of the collections that a viewer owns or has joined, each by an index of the viewer's. */
function ofContributor(viewer: { readonly id: string }) {
  return sql`SELECT id FROM collections WHERE owner_id = ${viewer.id} UNION ALL
    SELECT id FROM collections JOIN collection_contributors ON collection_id = id
    WHERE user_id = ${viewer.id} AND hidden_at IS NULL AND contributors <> 'owner'`
}

/** Reads the theme of the gallery; null without one. */
export async function readTheme(services: ReadServices): Promise<Collection | null> {
  const row = await services.db
    .selectFrom('collections')
    .select('id')
    .where('featured_until', '>', services.now())
    .where(isListed('collections'))
    .orderBy('featured_until', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [theme] = row ? await describeCollections(services, [row.id], null) : []
  return theme ?? null
}

const sitemapCollectionsMax = 2_000

/** Lists the ids of the newest public collections that have listed posts, for the sitemap. */
export async function listFilledCollections(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('collections')
    .select('id')
    .where(isListed('collections'))
    .where('listed_posts', '>', 0)
    .orderBy('seq', 'desc')
    .limit(sitemapCollectionsMax)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Describes collections that a viewer sees, newest first: the posts that they count and show are those that the viewer sees.
 *
 * @param postId a post: each collection says whether it has it
 */
export async function describeCollections(
  { db, now, plannedChanges }: ReadServices,
  ids: readonly string[],
  viewer: CollectionViewer,
  postId?: string,
): Promise<Collection[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('collections')
    .selectAll('collections')
    .select([
      visiblePostCount(viewer).as('posts'),
      coverOf(viewer).as('cover'),
      sql<string | null>`(SELECT name FROM posts
        WHERE posts.author_id = collections.owner_id AND ${isListed()} ORDER BY posts.seq DESC LIMIT 1)`.as(
        'ownerName',
      ),
      sql<SqlBool>`${viewer ? hasJoined(viewer) : sql`false`}`.as('joined'),
      sql<SqlBool>`${
        postId === undefined ? sql`false` : sql`EXISTS (${visibleEntry(sql`${postId}`, viewer)})`
      }`.as('hasPost'),
    ])
    .where(isOneOf(db, 'collections.id', ids, 'text'))
    .orderBy('collections.seq', 'desc')
    .execute()
  const seqs = rows.flatMap(({ cover }) => cover ?? [])
  const covers = await selectPosts(db)
    .where(isOneOf(db, 'posts.seq', seqs, 'bigint'))
    .execute()
  const coverBySeq = new Map(covers.map((row) => [row.seq, toPost(row)]))
  return rows.map((row) => {
    const isOwner = viewer?.id === row.owner_id
    const isAllowed = isOwner || Boolean(row.joined) || row.contributors === 'members'
    const isFeatured = row.featured_until !== null && row.featured_until > now()
    if (isFeatured) plannedChanges.add(row.featured_until ?? 0)
    return {
      id: row.id,
      title: row.title,
      description: row.description,
      visibility: row.visibility,
      contributors: row.contributors,
      postCount: row.posts,
      cover: (row.cover !== null && coverBySeq.get(row.cover)) || null,
      ownerId: row.owner_id,
      ownerName: row.ownerName,
      isOwner,
      mayAdd: viewer !== null && isAllowed && row.hidden_at === null,
      isHidden: row.hidden_at !== null,
      hasInvitation: isOwner && row.invitation_hash !== null,
      featuredUntil: isFeatured ? isoTime(row.featured_until) : null,
      createdAt: isoTime(row.created_at),
      hasPost: postId === undefined ? undefined : Boolean(row.hasPost),
    }
  })
}
