import { sql } from 'kysely'
import {
  kindOfAction,
  type AdminAction,
  type AdminActionDetails,
  type AuditEntry,
  type AuditKind,
  type AuditPage,
} from '../../shared/admin.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { AppError } from '../errors/app-error.ts'
import { selectModeration, toModerationRecord } from './moderation-log.ts'

/** An administrator, the operator or the sign-in provider, who changes users or the site. */
export interface Actor {
  /** Null for commands of the operator, and for the sign-in provider. */
  readonly id: string | null
  readonly firstName: string
}

/** Records an action. Call it in the transaction of the action. */
export async function recordAdminAction(
  transaction: Database,
  administrator: Actor,
  record: {
    readonly action: AdminAction
    /** The user that the action is about. */
    readonly userId?: string
    /** The change, for the audit log. No secrets, and no names of users. */
    readonly details?: Readonly<Record<string, string | number | boolean | null>>
    readonly now: number
  },
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

/** The two tables of the log. At the same time, entries of the second one come first. */
const sources = ['moderation', 'admin'] as const

/** Position in the log, which is ordered by time, table and `seq`, latest first. */
interface Position {
  readonly createdAt: number
  readonly source: (typeof sources)[number]
  readonly seq: number
}

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
): Promise<AuditPage> {
  const after = cursor === undefined ? null : decodePosition(cursor)
  const [actions, decisions] = await Promise.all([
    kind === 'moderation' ? [] : readActions(db, kind, after, limit + 1),
    kind === undefined || kind === 'moderation' ? readDecisions(db, after, limit + 1) : [],
  ])
  const merged = [...actions, ...decisions].toSorted((a, b) => comparePositions(b.position, a.position))
  const page = merged.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: await withNames(
      db,
      page.map(({ entry }) => entry),
    ),
    nextCursor: last && merged.length > limit ? encodePosition(last.position) : null,
  }
}

interface Located {
  readonly position: Position
  readonly entry: AuditEntry
}

async function readActions(
  db: Database,
  kind: AuditKind | undefined,
  after: Position | null,
  limit: number,
): Promise<Located[]> {
  const actions = Object.keys(kindOfAction) as AdminAction[]
  const rows = await db
    .selectFrom('admin_log')
    .select(['seq', 'action', 'administrator_name', 'user_id', 'details', 'created_at'])
    .where(isAfter('admin_log', 'admin', after))
    .$if(kind !== undefined, (query) =>
      query.where(
        'action',
        'in',
        actions.filter((action) => kindOfAction[action] === kind),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    position: { createdAt: row.created_at, source: 'admin', seq: row.seq },
    entry: {
      kind: 'admin',
      id: `admin-${row.seq}`,
      record: {
        action: row.action,
        administrator: row.administrator_name,
        user: row.user_id === null ? null : { id: row.user_id, name: null },
        details: JSON.parse(row.details) as AdminActionDetails,
        createdAt: new Date(row.created_at).toISOString(),
      },
    },
  }))
}

async function readDecisions(db: Database, after: Position | null, limit: number): Promise<Located[]> {
  const rows = await selectModeration(db)
    .where(isAfter('moderation_log', 'moderation', after))
    .orderBy('moderation_log.created_at', 'desc')
    .orderBy('moderation_log.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    position: { createdAt: row.created_at, source: 'moderation', seq: row.seq },
    entry: { kind: 'moderation', id: `moderation-${row.seq}`, record: toModerationRecord(row) },
  }))
}

/** Creates the condition that rows of a table follow a position; true without a position. */
function isAfter(table: string, source: Position['source'], after: Position | null) {
  if (!after) return sql<boolean>`true`
  const [createdAt, seq] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.seq`)]
  const order = sources.indexOf(source) - sources.indexOf(after.source)
  if (order > 0) return sql<boolean>`${createdAt} < ${after.createdAt}`
  if (order < 0) return sql<boolean>`${createdAt} <= ${after.createdAt}`
  return sql<boolean>`(${createdAt}, ${seq}) < (${after.createdAt}, ${after.seq})`
}

function comparePositions(a: Position, b: Position): number {
  return a.createdAt - b.createdAt || sources.indexOf(a.source) - sources.indexOf(b.source) || a.seq - b.seq
}

/** Adds the current names of the users. */
async function withNames(db: Database, entries: readonly AuditEntry[]): Promise<AuditEntry[]> {
  const ids = entries.flatMap((entry) =>
    entry.kind === 'admin' && entry.record.user ? [entry.record.user.id] : [],
  )
  if (ids.length === 0) return [...entries]
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM "user" WHERE ${isOneOf(db, 'id', [...new Set(ids)], 'text')}`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return entries.map((entry) => {
    if (entry.kind !== 'admin' || !entry.record.user) return entry
    const { id } = entry.record.user
    return Object.assign({}, entry, {
      record: Object.assign({}, entry.record, { user: { id, name: names.get(id) ?? null } }),
    })
  })
}

function encodePosition({ createdAt, source, seq }: Position): string {
  return Buffer.from(`audit:${createdAt}.${source}.${seq}`).toString('base64url')
}

function decodePosition(cursor: string): Position {
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, createdAt, source, seq] =
    /^audit:(0|[1-9]\d{0,15})\.(admin|moderation)\.([1-9]\d{0,15})$/.exec(decoded) ?? []
  const position = {
    createdAt: Number(createdAt),
    source: sources.find((one) => one === source) ?? 'admin',
    seq: Number(seq),
  }
  if (seq === undefined || encodePosition(position) !== cursor) {
    throw new AppError('bad_input', 'The cursor is not one that this server gave out.')
  }
  return position
}
