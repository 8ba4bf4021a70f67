import { sql } from 'kysely'
import type { StoredDecision } from '../../shared/account.ts'
import { reportReasons } from '../../shared/moderation.ts'
import type { ModerationAction, ModerationRecord, ReportReason } from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { toAppeal } from './appeals.ts'

/** Maximum number of listed records. */
const listedRecordsMax = 50

/** Selects the reasons of a post's reports, as a JSON array. */
function reasonsOfPost(db: Database) {
  const reasons =
    dialectOf(db) === 'postgres'
      ? sql`coalesce(json_agg(DISTINCT reason), '[]')::text`
      : sql`json_group_array(DISTINCT reason)`
  return sql<string>`(SELECT ${reasons} FROM reports WHERE reports.post_id = posts.id)`
}

/**
 * Records an action on posts: author, reasons of the reports and, for a deletion, the hash of the image. Call it in the
 * transaction of the action, before rows are deleted.
 */
export async function recordModeration(
  transaction: Database,
  administrator: Viewer,
  record: {
    readonly action: ModerationAction
    readonly postIds: readonly string[]
    readonly now: number
    /** Words to the author. */
    readonly note?: string
  },
): Promise<void> {
  await transaction
    .insertInto('moderation_log')
    .columns([
      'action',
      'administrator_id',
      'administrator_name',
      'post_id',
      'author_id',
      'reasons',
      'image_sha256',
      'created_at',
      'note',
    ])
    .expression(
      transaction
        .selectFrom('posts')
        .innerJoin('images', 'images.id', 'posts.image_id')
        .select((eb) => [
          eb.val(record.action).as('action'),
          eb.val(administrator.id).as('administrator_id'),
          eb.val(administrator.firstName).as('administrator_name'),
          'posts.id as post_id',
          'posts.author_id',
          reasonsOfPost(transaction).as('reasons'),
          (record.action === 'delete' ? eb.ref('images.sha256') : eb.val(null)).as('image_sha256'),
          eb.cast<number>(eb.val(record.now), 'bigint').as('created_at'),
          eb.val(record.note ?? '').as('note'),
        ])
        .where(isOneOf(transaction, 'posts.id', record.postIds, 'text'))
        .orderBy('posts.seq'),
    )
    .execute()
}

/** Selects the records of actions, with the columns that `toModerationRecord` needs. */
export function selectModeration(db: Database) {
  return db
    .selectFrom('moderation_log')
    .leftJoin('posts', 'posts.id', 'moderation_log.post_id')
    .select([
      'moderation_log.seq',
      'moderation_log.action',
      'moderation_log.administrator_name',
      'moderation_log.post_id',
      'moderation_log.author_id',
      'moderation_log.reasons',
      'moderation_log.note',
      'moderation_log.created_at',
      'posts.name',
    ])
}

/** Converts a row of `selectModeration`. */
export function toModerationRecord(
  row: Awaited<ReturnType<ReturnType<typeof selectModeration>['execute']>>[number],
): ModerationRecord {
  return {
    action: row.action,
    administrator: row.administrator_name,
    postId: row.post_id,
    postName: row.name,
    authorId: row.author_id,
    reasons: parseReasons(row.reasons),
    note: row.note,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** Lists the latest actions of administrators, newest first. */
export async function listModeration({ db }: { db: Database }): Promise<readonly ModerationRecord[]> {
  const rows = await selectModeration(db)
    .orderBy('moderation_log.seq', 'desc')
    .limit(listedRecordsMax)
    .execute()
  return rows.map(toModerationRecord)
}

/** Lists the actions on the posts of one user, newest first. */
export async function listDecisions(db: Database, authorId: string): Promise<readonly StoredDecision[]> {
  const rows = await db
    .selectFrom('moderation_log')
    .leftJoin('appeals', 'appeals.decision', 'moderation_log.seq')
    .select([
      'moderation_log.action',
      'moderation_log.post_id',
      'moderation_log.reasons',
      'moderation_log.note',
      'moderation_log.created_at as decided_at',
      'appeals.comment',
      'appeals.created_at',
      'appeals.closed_at',
    ])
    .where('moderation_log.author_id', '=', authorId)
    .orderBy('moderation_log.seq', 'desc')
    .execute()
  return rows.map((row) => ({
    action: row.action,
    postId: row.post_id,
    reasons: parseReasons(row.reasons),
    note: row.note,
    createdAt: new Date(row.decided_at).toISOString(),
    appeal: toAppeal(row),
  }))
}

/** Parses the column `reasons` into the order of `reportReasons`. */
export function parseReasons(column: string): readonly ReportReason[] {
  const reasons = JSON.parse(column) as readonly ReportReason[]
  return reportReasons.filter((reason) => reasons.includes(reason))
}
