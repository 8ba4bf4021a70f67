import { randomUUID } from 'node:crypto'
import { announcementsMax, currentAnnouncements, type Announcement } from '../../shared/announcements.ts'
import type { Collection } from '../../shared/collections.ts'
import { collectionPath, matchPath, pagePaths } from '../../shared/routes.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import { collectionNotFound } from '../access/visible-collection.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import { isListed, msPerDay, outdateResponses } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { notifyMembers } from '../notifications/notify.ts'
import { storeSiteOption } from '../site/site-options.ts'
import { QueueWorker } from '../tasks/queue-worker.ts'
import { readCollection } from './collection-queries.ts'
import type { CollectionCall, CollectionsServices } from './services.ts'

type ClockServices = Pick<CollectionsServices, 'db' | 'log' | 'now' | 'readOptions'>

const announcedDays = 7

/**
 * Makes a collection the theme of the gallery until a time, in place of another one, or ends it.
 *
 * @param until ISO 8601; null to end it
 * @throws AppError `not_found`; `bad_input` for a time that is over, or a collection that is not public
 */
export async function featureCollection({
  ctx: { services, viewer: administrator },
  input: { id, until },
}: CollectionCall<{ readonly id: string; readonly until: string | null }>): Promise<Collection> {
  const now = services.now()
  const featuredUntil = until === null ? null : Date.parse(until)
  if (featuredUntil !== null && featuredUntil <= now) {
    throw new AppError('bad_input', describedDetail('theme_ended'))
  }
  await asAdministrator(services, administrator, async (transaction, record) => {
    await outdateResponses(transaction)
    const collection = await transaction
      .selectFrom('collections')
      .select(['owner_id', 'featured_until', isListed('collections').as('listed')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(collectionNotFound)
    if (featuredUntil !== null && !collection.listed) {
      throw new AppError('bad_input', describedDetail('collection_not_public'))
    }
    if (collection.featured_until === featuredUntil) return
    const themes = transaction.selectFrom('collections').select('id').where('featured_until', 'is not', null)
    const ended = themes.where('id', featuredUntil === null ? '=' : '<>', id)
    for (const theme of await ended.execute()) await endTheme(services, transaction, theme.id)
    await transaction
      .updateTable('collections')
      .set({ featured_until: featuredUntil })
      .where('id', '=', id)
      .execute()
    if (featuredUntil !== null && collection.featured_until === null) {
      await notifyMembers(transaction, { kind: 'theme', collectionId: id, now })
    }
    await record({ action: 'feature_collection', details: { collection: id, until } })
  })
  return readCollection(services, id, administrator)
}

/** Ends a theme and tells the members, and announces its most liked posts if it has posts and there is room for an announcement. */
async function endTheme(
  { now, readOptions }: Omit<ClockServices, 'log'>,
  transaction: Database,
  id: string,
): Promise<void> {
  const theme = await transaction
    .updateTable('collections')
    .set({ featured_until: null })
    .where('id', '=', id)
    .returning(['title', 'listed_posts', isListed('collections').as('listed')])
    .executeTakeFirstOrThrow()
  if (!theme.listed || theme.listed_posts === 0) return
  await notifyMembers(transaction, { kind: 'theme', collectionId: id, now: now() })
  const { announcements } = await readOptions(transaction)
  const added = {
    id: randomUUID(),
    ...endOf(theme.title),
    level: 'info',
    link: `${collectionPath(id)}?sort=top`,
    endsAt: new Date(now() + announcedDays * msPerDay).toISOString(),
  } as const
  const others = currentAnnouncements(announcements, now()).filter(
    ({ link, endedTheme }) => !endedTheme || link !== added.link,
  )
  if (others.length >= announcementsMax) return
  await storeSiteOption(transaction, 'announcements', [added, ...others])
}

function endOf(title: string): Pick<Announcement, 'text' | 'endedTheme'> {
  return { text: `The theme “${title}” has ended. See its most liked images.`, endedTheme: title }
}

/** Returns the announcements that are shown now: those of ended themes with their current titles, while they are public. */
export async function shownAnnouncements(
  { db, now }: Pick<ClockServices, 'db' | 'now'>,
  { announcements }: SiteOptions,
): Promise<readonly Announcement[]> {
  const shown: Announcement[] = []
  for (const announcement of currentAnnouncements(announcements, now())) {
    if (announcement.endedTheme === undefined) {
      shown.push(announcement)
      continue
    }
    const collection = await db
      .selectFrom('collections')
      .select('title')
      .where('id', '=', matchPath(pagePaths.collection, announcement.link?.split('?')[0] ?? ''))
      .where(isListed('collections'))
      .executeTakeFirst()
    if (collection) shown.push({ ...announcement, ...endOf(collection.title) })
  }
  return shown
}

/** Ends a theme whose time is over, once for all processes. Returns its id; null without one. */
export async function endDueTheme(services: Omit<ClockServices, 'log'>): Promise<string | null> {
  const due = (db: Database) =>
    db
      .selectFrom('collections')
      .select('id')
      .where('featured_until', '<=', services.now())
      .limit(1)
      .executeTakeFirst()
  if (!(await due(services.db))) return null
  return inTransaction(services.db, async (transaction) => {
    await outdateResponses(transaction)
    const theme = await due(transaction)
    if (theme) await endTheme(services, transaction, theme.id)
    return theme?.id ?? null
  })
}

/** Creates the worker that ends themes. */
export function createThemeClock(services: ClockServices): QueueWorker<string> {
  return new QueueWorker({
    maxConcurrent: 1,
    claim: () => endDueTheme(services),
    process: () => Promise.resolve(),
    onError: (err) => services.log.error({ err }, 'the end of a theme could not be announced; retrying'),
  })
}
