import { sql } from 'kysely'
import {
  kindOfAction,
  type AdminAction,
  type AdminActionDetails,
  type AuditKind,
} from '../../shared/admin.ts'
import type { Database } from '../db/open-database.ts'
import { decodeParts, encodeCursor, isOneOf, pageOf } from '../db/pagination.ts'
import { inTransaction } from '../db/transaction.ts'
import type { UserServices } from '../access/user-access.ts'
import { lockAsAdministrator, type AdministrationServices } from '../access/user-directory.ts'
import { selectModeration, toModerationRecord } from './moderation-log.ts'

/** An administrator, the operator or the sign-in provider, who changes users or the site. */
export interface Actor {
  /** Null for commands of the operator, and for the sign-in provider. */
  readonly id: string | null
  readonly firstName: string
}

interface Entry {
  readonly action: AdminAction
  /** The user that the action is about. */
  readonly userId?: string
  /** The change, for the audit log. No secrets, and no names of users. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
  readonly now: number
}

/** Runs a change by an administrator, which it can record, in a transaction. @throws AppError `forbidden` see `lockAsAdministrator` */
export function asAdministrator<Result>(
  services: UserServices & AdministrationServices,
  administrator: Actor,
  work: (transaction: Database, record: (entry: Omit<Entry, 'now'>) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return inTransaction(services.db, async (transaction) => {
    await lockAsAdministrator(services, transaction, administrator)
    return work(transaction, (entry) =>
      recordAdminAction(transaction, administrator, { ...entry, now: services.now() }),
    )
  })
}

/** Records an action. Call it in the transaction of the action. */
export async function recordAdminAction(
  transaction: Database,
  administrator: Actor,
  record: Entry,
): Promise<void> {
  await transaction
    .insertInto('admin_log')
    .values({
      action: record.action,
      administrator_id: administrator.id,
      administrator_name: administrator.firstName,
      user_id: record.userId ?? null,
      details: JSON.stringify(record.details ?? {}),
      created_at: record.now,
    })
    .execute()
}

/** The tables of the log, in which entries are ordered by time, table and `seq`, latest first. */
const ranks = { moderation: 0, admin: 1 } as const

type Position = readonly [createdAt: number, rank: number, seq: number]

interface AuditLogInput {
  /** Without it, entries of every kind. */
  readonly kind?: AuditKind | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * Lists the actions of administrators and moderators on users, the site and posts, newest first.
 *
 * @throws AppError `bad_input` for a cursor that this did not return
 */
export async function listAuditLog(
  { db }: { readonly db: Database },
  { kind, cursor, limit }: AuditLogInput,
) {
  const after = cursor === undefined ? null : decodePosition(cursor)
  const [actions, decisions] = await Promise.all([
    readActions(db, kind, after, limit + 1),
    kind === undefined || kind === 'moderation' ? readDecisions(db, after, limit + 1) : [],
  ])
  const merged = [...actions, ...decisions].toSorted((a, b) => compare(b.position, a.position))
  const { page, nextCursor } = pageOf(merged, limit, ({ position }) => encodeCursor('audit', ...position))
  return { entries: page.map(({ entry }) => entry), nextCursor }
}

async function readActions(db: Database, kind: AuditKind | undefined, after: Position | null, limit: number) {
  const all = Object.keys(kindOfAction) as AdminAction[]
  const actions = all.filter((action) => kindOfAction[action] === kind)
  const rows = await db
    .selectFrom('admin_log')
    .select(['seq', 'action', 'administrator_name', 'user_id', 'details', 'created_at'])
    .where(isAfter('admin_log', after))
    .$if(kind !== undefined, (query) => query.where('action', 'in', actions))
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  const names = await readNames(
    db,
    rows.flatMap(({ user_id }) => user_id ?? []),
  )
  return rows.map((row) => ({
    position: [row.created_at, ranks.admin, row.seq] satisfies Position,
    entry: {
      kind: 'admin' as const,
      id: `admin-${row.seq}`,
      record: {
        action: row.action,
        administrator: row.administrator_name,
        /** The user that the action was about; null for none, and once the account is deleted. */
        user: row.user_id === null ? null : { id: row.user_id, name: names.get(row.user_id) ?? null },
        details: JSON.parse(row.details) as AdminActionDetails,
        createdAt: new Date(row.created_at).toISOString(),
      },
    },
  }))
}

async function readDecisions(db: Database, after: Position | null, limit: number) {
  const rows = await selectModeration(db)
    .where(isAfter('moderation_log', after))
    .orderBy('moderation_log.created_at', 'desc')
    .orderBy('moderation_log.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    position: [row.created_at, ranks.moderation, row.seq] satisfies Position,
    entry: { kind: 'moderation' as const, id: `moderation-${row.seq}`, record: toModerationRecord(row) },
  }))
}

/** Creates the condition that rows of a table follow a position; true without a position. */
function isAfter(table: 'admin_log' | 'moderation_log', after: Position | null) {
  if (!after) return sql<boolean>`true`
  const [createdAt, seq] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.seq`)]
  const rank = sql.lit(table === 'admin_log' ? ranks.admin : ranks.moderation)
  // The first condition is one that an index helps with.
  return sql<boolean>`${createdAt} <= ${after[0]} AND (${createdAt}, ${rank}, ${seq}) < (${sql.join(after)})`
}

function compare(a: Position, b: Position): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/** Not joined, as PostgreSQL compares the ids of better-auth's tables by another collation. */
async function readNames(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const users = await db
    .selectFrom('user')
    .select(['id', 'name'])
    .where(isOneOf(db, 'id', [...new Set(ids)], 'text'))
    .execute()
  return new Map(users.map(({ id, name }) => [id, name]))
}

function decodePosition(cursor: string): Position {
  const [createdAt, rank, seq] = decodeParts('audit', cursor, String.raw`([01])\.([1-9]\d{0,15})`)
  return [createdAt, Number(rank), Number(seq)]
}
