import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { countRows } from '../db/rows.ts'

/** Number up to which `countReported` counts. */
const countMax = 100

/** Counts the posts and collections that are reported or whose author has appealed, up to 100. */
export async function countReported({ db }: { db: Database }): Promise<number> {
  const reported = db
    .selectFrom('reports')
    .innerJoin('posts', 'posts.id', 'reports.post_id')
    .select('reports.post_id')
    .where((eb) => eb.or([eb('posts.visibility', '<>', 'private'), eb('posts.hidden_at', 'is not', null)]))
    .distinct()
    .orderBy('reports.post_id')
    .limit(countMax)
  const appealed = selectOpenAppeals(db).select('appeals.post_id').limit(countMax)
  const collections = selectReportedCollections(db).limit(countMax)
  const waiting = db
    .selectFrom(reported.as('reported'))
    .select('reported.post_id')
    .union(db.selectFrom(appealed.as('appealed')).select('appealed.post_id'))
    .union(db.selectFrom(collections.as('collections')).select('collections.id as post_id'))
    .limit(countMax)
  return countRows(db.selectFrom(waiting.as('waiting')))
}

/** Selects the ids of collections that are reported, and neither private nor hidden. */
export function selectReportedCollections(db: Database) {
  return db
    .selectFrom('collections')
    .select('collections.id')
    .where('collections.visibility', '<>', 'private')
    .where('collections.hidden_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('collection_reports').select('seq').whereRef('collection_id', '=', 'collections.id')),
    )
}

/** Selects the appeals that wait for an answer: the post is still hidden, and its author has not deleted it. */
export function selectOpenAppeals(db: Database) {
  return db
    .selectFrom('appeals')
    .innerJoin('posts as appealed', 'appealed.id', 'appeals.post_id')
    .where('appeals.closed_at', 'is', null)
    .where('appealed.hidden_at', 'is not', null)
    .where('appealed.withdrawn_at', 'is', null)
}

export async function closeAppeals(
  transaction: Database,
  postIds: readonly string[],
  now: number,
): Promise<void> {
  await transaction
    .updateTable('appeals')
    .set({ closed_at: now })
    .where(isOneOf(transaction, 'post_id', postIds, 'text'))
    .where('closed_at', 'is', null)
    .execute()
}
