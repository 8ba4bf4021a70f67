import { sql } from 'kysely'
import type { ReportDecision } from '../../shared/moderation.ts'
import { requireUnblocked } from '../access/user-access.ts'
import { collectionNotFound } from '../access/visible-collection.ts'
import { recordAdminAction } from '../audit/admin-log.ts'
import { selectReportedCollections } from '../audit/waiting-reports.ts'
import { describeCollections, readReportReasons } from '../collections/collection-queries.ts'
import { outdateResponses } from '../db/gallery.ts'
import { countRows, hasRows } from '../db/rows.ts'
import { inTransaction } from '../db/transaction.ts'
import { informOwner } from '../mail/notices.ts'
import { newestReports } from './reports.ts'
import type { Decided, ModerationServices } from './moderate-post.ts'

const listedCollectionsMax = 100

/**
 * Hides or unhides a collection, whose posts stay as they are, and tells its owner; or dismisses its reports. An action without effect is
 * not recorded.
 * @throws AppError `not_found`, also for a private one that is neither hidden nor reported
 */
export async function moderateCollection(
  { ctx: { services, viewer: moderator }, input: { id, note } }: Decided,
  action: ReportDecision,
): Promise<{ id: string }> {
  const now = services.now()
  await inTransaction(services.db, async (transaction) => {
    await outdateResponses(transaction)
    await requireUnblocked(transaction, moderator)
    const reports = transaction.selectFrom('collection_reports').select('seq').where('collection_id', '=', id)
    const isReported = await hasRows(reports)
    const collection = await transaction
      .selectFrom('collections')
      .select(['id', 'owner_id', 'title', 'hidden_at', 'visibility'])
      .where('id', '=', id)
      .executeTakeFirst()
    const isHidden = collection !== undefined && collection.hidden_at !== null
    if (!collection || (collection.visibility === 'private' && !isHidden && !isReported)) {
      throw collectionNotFound()
    }
    if (action === 'dismiss' ? !isReported : isHidden === (action === 'hide')) return
    await recordAdminAction(transaction, moderator, {
      action: `${action}_collection`,
      userId: collection.owner_id,
      details: { collection: id, ...(note && { text: note }) },
      now,
    })
    if (action === 'dismiss') {
      await transaction.deleteFrom('collection_reports').where('collection_id', '=', id).execute()
      return
    }
    await transaction
      .updateTable('collections')
      .set({ hidden_at: action === 'hide' ? now : null })
      .where('id', '=', id)
      .execute()
    await informOwner(services, transaction, moderator, collection, {
      decision: action === 'hide' ? 'collection-hidden' : 'collection-restored',
      reasons: await readReportReasons(transaction, id),
      note: note ?? '',
      now,
    })
  })
  return { id }
}

/** Lists the reported collections, the most recently reported first, then hidden ones without reports. */
export async function listReportedCollections(services: ModerationServices) {
  const { db } = services
  const reported = selectReportedCollections(db).union(
    db.selectFrom('collections').select('id').where('hidden_at', 'is not', null),
  )
  const rows = await db
    .selectFrom('collections')
    .leftJoin('collection_reports', 'collection_reports.collection_id', 'collections.id')
    .select((eb) => ['collections.id', eb.fn.count<number>('collection_reports.seq').as('reportCount')])
    .where('collections.id', 'in', reported)
    .groupBy('collections.seq')
    .orderBy(sql`max(collection_reports.seq)`, (order) => order.desc().nullsLast())
    .orderBy('collections.seq', 'desc')
    .limit(listedCollectionsMax)
    .execute()
  const ids = rows.map(({ id }) => id)
  const described = await describeCollections(services, ids, null)
  const entries = []
  for (const { id, reportCount } of rows) {
    const collection = described.find((one) => one.id === id)
    const selected = db.selectFrom('collection_reports as reports').where('collection_id', '=', id)
    if (collection) entries.push({ collection, reports: await newestReports(selected), reportCount })
  }
  return { entries, total: await countRows(db.selectFrom(reported.as('listed'))) }
}
