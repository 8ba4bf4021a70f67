import { sql } from 'kysely'
import { photoPath } from '../../shared/image-files.ts'
import {
  notificationDays,
  unreadMax,
  type Notification,
  type NotificationKind,
} from '../../shared/notifications.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { readAccess, type UserServices } from '../access/user-access.ts'
import { selectSettings } from '../access/user-settings.ts'
import { coverOf, hasJoined, selectVisibleCollection } from '../access/visible-collection.ts'
import { selectVisiblePost } from '../access/visible-post.ts'
import { isListed, msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { decodeParts, encodeCursor, isOneOf, pageOf } from '../db/pagination.ts'
import { countRows, hasRows } from '../db/rows.ts'
import type { RowOf } from '../db/schema.ts'
import { isoTime } from '../text/iso-time.ts'
import { kindsBy, readReadState } from './notification-settings.ts'

/*
 * What a user may see is decided when it is read: rows about a post, image or collection that was hidden, deleted or made private
 * since are left out, in counts, mails and pushes, too.
 */

/** User of the rows that are for every member. */
export const everyMember = ''

/** Events of a notification that are read for the names of their actors. */
const readEventsMax = 20

const namesMax = 3

/** A user who reads notifications. */
type Reader = Pick<Viewer, 'id' | 'role'>

type ReadState = Awaited<ReturnType<typeof readReadState>>

/** Selects the notifications of some kinds that a user may see. @param since exclusive, in milliseconds since 1970 */
function selectShown(
  { db, now }: UserServices,
  reader: Reader,
  kinds: readonly NotificationKind[],
  since = 0,
) {
  const postId = sql.ref<string>('notifications.post_id')
  const collectionId = sql.ref<string>('notifications.collection_id')
  return db
    .selectFrom('notifications')
    .where('notifications.user_id', 'in', [reader.id, everyMember])
    .where(isOneOf(db, 'notifications.kind', kinds, 'text'))
    .where('notifications.created_at', '>', Math.max(since, now() - notificationDays * msPerDay))
    .where(({ eb, or, and, exists, selectFrom }) => {
      const isOf = (...some: NotificationKind[]) => eb('notifications.kind', 'in', some)
      const post = selectFrom('posts').select('posts.id').where('posts.id', '=', postId)
      // Authors see their hidden posts, and not those in the trash.
      const isOwn = post
        .where('posts.author_id', '=', reader.id)
        .where('posts.withdrawn_at', 'is', null)
        .where('posts.trashed_visibility', 'is', null)
      const isModerated = post.where((one) =>
        one.or([one('posts.hidden_at', 'is not', null), one('posts.visibility', '<>', 'private')]),
      )
      const ownCollection = selectFrom('collections')
        .select('collections.id')
        .where('collections.id', '=', collectionId)
        .where('collections.owner_id', '=', reader.id)
      // Themes that had ended before are not news for a new member.
      const joined = selectFrom('known_users')
        .select('user_id')
        .where('user_id', '=', reader.id)
        .whereRef('first_seen_at', '<=', 'notifications.created_at')
      const collection = selectVisibleCollection(db, collectionId, reader)
        .select('collections.id')
        // The link to an unlisted one is for those who have it.
        .where((one) => one.or([isListed('collections'), one('owner_id', '=', reader.id), hasJoined(reader)]))
        .where((one) =>
          one.or([
            isOf('collection'),
            one('featured_until', '>', now()),
            one.and([one('listed_posts', '>', 0), exists(joined)]),
          ]),
        )
      const isAboutNothing = sql<boolean>`coalesce(notifications.post_id, notifications.collection_id) IS NULL`
      return and([
        or([isOf('decision', 'appeal', 'theme'), exists(selectShownEvents(db, reader).select('actor_id'))]),
        or([
          isOf('generation'),
          and([isOf('like', 'remix'), exists(selectVisiblePost(db, postId, reader))]),
          and([isOf('decision'), or([isAboutNothing, exists(isOwn), exists(ownCollection)])]),
          and([isOf('collection', 'theme'), exists(collection)]),
          ...(reader.role === 'member' ? [] : [and([isOf('appeal'), exists(isModerated)])]),
        ]),
      ])
    })
}

/** Selects the events of the row of `notifications` that a user may see. */
function selectShownEvents(db: Database, reader: Reader) {
  const subjectId = sql.ref<string>('notification_events.subject_id')
  return db
    .selectFrom('notification_events')
    .where('notification', '=', sql.ref<number>('notifications.seq'))
    .where(({ and, eb, exists, or, selectFrom }) => {
      const kind = sql.ref<NotificationKind>('notifications.kind')
      const isImage = selectFrom('images')
        .select('images.id')
        .where('images.id', '=', subjectId)
        .where('images.owner_id', '=', reader.id)
        .where('images.trashed_at', 'is', null)
        .where('images.hidden_at', 'is', null)
      // Others have the link to an unlisted one from its author.
      const isFound = or([isListed(), eb(sql.ref('posts.author_id'), '=', reader.id)])
      const isEntry = selectFrom('collection_posts')
        .select('post_id')
        .where('collection_id', '=', sql.ref<string>('notifications.collection_id'))
        .where('post_id', '=', subjectId)
      return or([
        eb(kind, 'in', ['like', 'appeal']),
        and([eb(kind, '=', 'generation'), exists(isImage)]),
        and([
          eb(kind, 'in', ['remix', 'collection']),
          exists(selectVisiblePost(db, subjectId, reader).where(isFound)),
          or([eb(kind, '=', 'remix'), exists(isEntry)]),
        ]),
      ])
    })
}

/** Counts the unread notifications of a user, up to `unreadMax`. */
export async function countUnread(
  services: UserServices,
  reader: Reader,
  state?: ReadState,
): Promise<number> {
  const { settings, readUntil } = state ?? (await readReadState(services.db, reader.id))
  const unread = selectShown(services, reader, kindsBy('page', settings), readUntil)
    .select('notifications.seq')
    .limit(unreadMax)
  return countRows(services.db.selectFrom(unread.as('unread')))
}

/** Lists one page of a user's notifications, newest first. @throws AppError `bad_input` for the cursor */
export async function listNotifications(
  services: UserServices,
  reader: Reader,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
) {
  const { db } = services
  const state = await readReadState(db, reader.id)
  const position = cursor === undefined ? null : decodeParts('notification', cursor)
  const rows = await selectShown(services, reader, kindsBy('page', state.settings))
    .selectAll('notifications')
    .$if(position !== null, (query) =>
      query.where(
        sql<boolean>`(notifications.created_at, notifications.seq) < (${position?.[0]}, ${Number(position?.[1])})`,
      ),
    )
    .orderBy('notifications.created_at', 'desc')
    .orderBy('notifications.seq', 'desc')
    .limit(limit + 1)
    .execute()
  const { page, nextCursor } = pageOf(rows, limit, ({ created_at, seq }) =>
    encodeCursor('notification', created_at, seq),
  )
  return {
    notifications: await describe(services, reader, page, state),
    unreadCount: await countUnread(services, reader, state),
    nextCursor,
  }
}

/** Notifications of a digest or a push. */
const newMax = 20

/**
 * Lists what a user has not read, of the kinds that reach them by a channel, newest first, and their language. Nothing for blocked
 * users.
 *
 * @param since exclusive, in milliseconds since 1970
 */
export async function listNew(
  services: UserServices,
  userId: string,
  channel: 'mail' | 'push',
  since: number,
): Promise<{ readonly news: readonly Notification[]; readonly language: string | null }> {
  const { reader, state, selected } = await selectNew(services, userId, channel, since)
  const rows = await selected
    .selectAll('notifications')
    .orderBy('notifications.created_at', 'desc')
    .orderBy('notifications.seq', 'desc')
    .limit(newMax)
    .execute()
  const settings = await selectSettings(services.db, userId).select('language').executeTakeFirst()
  return { news: await describe(services, reader, rows, state), language: settings?.language ?? null }
}

/** Checks whether `listNew` lists anything. */
export async function hasNew(...of: Parameters<typeof selectNew>): Promise<boolean> {
  const { selected } = await selectNew(...of)
  return hasRows(selected.select('notifications.seq'))
}

async function selectNew(services: UserServices, userId: string, channel: 'mail' | 'push', since: number) {
  const { role, isBlocked } = await readAccess(services.db, userId)
  const state = await readReadState(services.db, userId)
  // Mails inform of decisions and appeals at once.
  const kinds = kindsBy(channel, state.settings).filter(
    (kind) => channel === 'push' || (kind !== 'decision' && kind !== 'appeal'),
  )
  const reader = { id: userId, role }
  const after = Math.max(since, state.readUntil)
  return { reader, state, selected: selectShown(services, reader, isBlocked ? [] : kinds, after) }
}

async function describe(
  { db, now }: UserServices,
  reader: Reader,
  rows: readonly RowOf<'notifications'>[],
  { readUntil, readAt }: ReadState,
): Promise<Notification[]> {
  const numbers = rows.map(({ seq }) => seq)
  const events = await readEvents(db, reader, numbers)
  const located = rows.map((row) => {
    const own = events.filter(({ notification }) => notification === row.seq)
    const [latest] = own
    const postId = row.kind === 'collection' ? (latest?.subject_id ?? null) : row.post_id
    return { row, own, postId, imageId: row.kind === 'generation' ? latest?.subject_id : null }
  })
  const subjectOf = await readSubjects(db, reader, {
    posts: located.flatMap(({ postId }) => postId ?? []),
    images: located.flatMap(({ imageId }) => imageId ?? []),
    collections: rows.flatMap(({ collection_id }) => collection_id ?? []),
  })
  return located.map(({ row, own, postId, imageId }) => {
    const actors = new Map(own.map(({ actor_id, actor_name }) => [actor_id, actor_name]))
    actors.delete('')
    const collection = subjectOf(row.collection_id)
    const shown = subjectOf(postId ?? imageId) ?? collection
    const hasEnded = row.kind === 'theme' && (collection?.featured_until ?? 0) <= now()
    const notification = {
      id: row.id,
      kind: row.kind,
      count: own[0]?.total ?? 1,
      postId,
      collectionId: row.collection_id,
      actorNames: [...actors.values()].slice(0, namesMax),
      text: (collection ?? shown)?.text ?? '',
      image: shown?.folder ? { photo: photoPath(shown.folder), placeholder: shown.placeholder ?? '' } : null,
      createdAt: isoTime(row.created_at),
      readAt: row.created_at <= readUntil ? isoTime(readAt) : null,
    }
    return Object.assign(notification, hasEnded ? { hasEnded: true as const } : {})
  })
}

/** Reads the latest events of notifications, and how many there are. */
async function readEvents(db: Database, reader: Reader, numbers: readonly number[]) {
  const ranked = selectShownEvents(db, reader)
    .select(['notification', 'actor_id', 'actor_name', 'subject_id'])
    .select([
      sql<number>`count(*) OVER (PARTITION BY notification)`.as('total'),
      sql<number>`row_number() OVER (PARTITION BY notification ORDER BY notification_events.created_at DESC, subject_id)`.as(
        'place',
      ),
    ])
    .innerJoin('notifications', 'notifications.seq', 'notification_events.notification')
    .where(isOneOf(db, 'notifications.seq', numbers, 'bigint'))
  return db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', readEventsMax)
    .orderBy('place')
    .execute()
}

/** Reads the prompts or titles, and the files, of posts, images and collections that `selectShown` has found for a user. */
async function readSubjects(
  db: Database,
  reader: Reader,
  ids: Readonly<Record<'posts' | 'images' | 'collections', readonly string[]>>,
) {
  const files = ['images.folder', 'images.placeholder'] as const
  const posts = db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .select(['posts.id', ...files, sql<null>`null`.as('featured_until')])
    .select((eb) =>
      eb
        .case()
        .when(eb.and([eb('posts.hide_prompt', '=', 1), eb('posts.author_id', '<>', reader.id)]))
        .then('')
        .else(eb.ref('posts.prompt'))
        .end()
        .as('text'),
    )
    .where(isOneOf(db, 'posts.id', ids.posts, 'text'))
  const images = db
    .selectFrom('images')
    .select(['images.id', ...files, 'images.prompt as text', sql<null>`null`.as('featured_until')])
    .where(isOneOf(db, 'id', ids.images, 'text'))
    .where('owner_id', '=', reader.id)
  const collections = db
    .selectFrom('collections')
    .leftJoin('posts', (join) => join.on('posts.seq', '=', coverOf(reader)))
    .leftJoin('images', 'images.id', 'posts.image_id')
    .select(['collections.id', ...files, 'collections.title as text', 'featured_until'])
    .where(isOneOf(db, 'collections.id', ids.collections, 'text'))
  const found = [...(await posts.execute()), ...(await images.execute()), ...(await collections.execute())]
  const byId = new Map(found.map((subject) => [subject.id, subject]))
  return (id: string | null | undefined) => byId.get(id ?? '')
}
