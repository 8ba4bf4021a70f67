import { sql } from 'kysely'
import {
  reportReasons,
  type ModerationAction,
  type ModerationRecord,
  type ReportReason,
  type Appeal,
} from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { isoTime } from '../text/iso-time.ts'

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
 * Records an action on posts: author, reasons of the reports and the hash of the image. Call it in the transaction of the
 * action, before rows are deleted.
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
  const { action, postIds, now, note = '' } = record
  await sql`
    INSERT INTO moderation_log (
      action, administrator_id, administrator_name, post_id, author_id, reasons, image_sha256, created_at, note
    )
    SELECT ${action}, ${administrator.id}, ${administrator.firstName}, posts.id, posts.author_id,
      ${reasonsOfPost(transaction)}, images.sha256, CAST(${now} AS bigint), ${note}
    FROM posts JOIN images ON images.id = posts.image_id
    WHERE ${isOneOf(transaction, 'posts.id', postIds, 'text')} ORDER BY posts.seq`.execute(transaction)
}

/** Selects the records of actions, for `toModerationRecord`. Names of private posts are left out. */
export function selectModeration(db: Database) {
  return db
    .selectFrom('moderation_log')
    .leftJoin('posts', (join) =>
      join
        .onRef('posts.id', '=', 'moderation_log.post_id')
        .on((eb) => eb.or([eb('posts.visibility', '<>', 'private'), eb('posts.hidden_at', 'is not', null)])),
    )
    .select(['moderation_log.seq', 'moderation_log.created_at', 'action', 'reasons', 'note'])
    .select(['post_id as postId', 'moderation_log.author_id as authorId', 'posts.name as postName'])
    .select('administrator_name as administrator')
}

export function toModerationRecord({
  seq: _seq,
  reasons,
  created_at,
  ...record
}: Awaited<ReturnType<ReturnType<typeof selectModeration>['execute']>>[number]): ModerationRecord {
  return { ...record, reasons: parseReasons(reasons), createdAt: isoTime(created_at) }
}

/** Lists the latest actions of administrators, or those on one post, newest first. */
export async function listModeration({ db }: { db: Database }, postId?: string) {
  const rows = await selectModeration(db)
    .$if(postId !== undefined, (query) =>
      query
        .where('moderation_log.post_id', '=', postId ?? '')
        // Found by the index of authors.
        .where('moderation_log.author_id', '=', (eb) =>
          eb
            .selectFrom('posts as decided')
            .select('decided.author_id')
            .where('decided.id', '=', postId ?? ''),
        ),
    )
    .orderBy('moderation_log.seq', 'desc')
    .limit(listedRecordsMax)
    .execute()
  return rows.map(toModerationRecord)
}

/** Selects the actions on the posts of one user with their appeals, newest first. */
export function selectDecisions(db: Database, authorId: string) {
  return db
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
}

/** Lists the actions on the posts of one user, newest first. */
export async function listDecisions(db: Database, authorId: string) {
  const rows = await selectDecisions(db, authorId).execute()
  return rows.map((row) => Object.assign({ action: row.action }, toDecision(row)))
}

/** Converts a row of `selectDecisions`, without the action. */
export function toDecision(row: Awaited<ReturnType<ReturnType<typeof selectDecisions>['execute']>>[number]) {
  return {
    postId: row.post_id,
    reasons: parseReasons(row.reasons),
    note: row.note,
    createdAt: isoTime(row.decided_at),
    appeal: toAppeal(row),
  }
}

/** Parses the column `reasons` into the order of `reportReasons`. */
export function parseReasons(column: string): readonly ReportReason[] {
  const reasons = JSON.parse(column) as readonly ReportReason[]
  return reportReasons.filter((reason) => reasons.includes(reason))
}

/** Converts a row; null without an appeal. */
export function toAppeal(row: {
  readonly comment: string | null
  readonly created_at: number | null
  readonly closed_at: number | null
}): Appeal | null {
  if (row.comment === null || row.created_at === null) return null
  return {
    comment: row.comment,
    createdAt: isoTime(row.created_at),
    isDismissed: row.closed_at !== null,
  }
}
