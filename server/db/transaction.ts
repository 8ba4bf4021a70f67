import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import { within } from '../tasks/shared-task.ts'
import { isConflict } from './database-errors.ts'
import { dialectOf } from './dialect-of.ts'
import type { Database } from './open-database.ts'

/** Longest time for which a caller waits for the work after a commit, which then continues in the background. */
const afterCommitWaitMs = 5_000

/** Starts the work that follows the commit of each transaction. The promises never reject. */
const afterCommitWork = new WeakMap<Database, (() => Promise<void>)[]>()

export interface AfterCommitOptions {
  /** False if the caller does not wait for the work, not even for a few seconds. */
  readonly isAwaited?: boolean
}

/**
 * Runs work in a transaction, twice if another one was preferred: it has no other effects than by `afterCommit`.
 * @throws AppError `storage_unavailable` after two conflicts
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const attempt = async () => {
    const following: (() => Promise<void>)[] = []
    const result = await db.transaction().execute((transaction) => {
      afterCommitWork.set(transaction, following)
      return work(transaction)
    })
    return { result, following }
  }
  const { result, following } = await attempt().catch((error: unknown) => {
    if (!isConflict(error)) throw error
    return attempt()
  })
  if (following.length > 0)
    await within(afterCommitWaitMs, Promise.all(following.map((run) => run())), () => null)
  return result
}

/**
 * Runs work once a transaction of `inTransaction` has been committed. Its errors are logged and never reach the caller, for
 * whom the change has succeeded: something else, such as a sweep, must complete what the work leaves undone.
 *
 * @param task what the work does, as the message of its error
 */
export function afterCommit(
  transaction: Database,
  log: Pick<Logger, 'error'>,
  task: string,
  work: () => Promise<void>,
  { isAwaited = true }: AfterCommitOptions = {},
): void {
  const following = afterCommitWork.get(transaction)
  if (!following) throw new Error('The transaction was not started by inTransaction.')
  following.push(async () => {
    const ended = (async () => work())().catch((err: unknown) => log.error({ err }, `${task} failed`))
    if (isAwaited) await ended
  })
}

/**
 * Waits until no other transaction claims generations of an engine. Call it first in the transaction: the snapshot of a
 * statement is older than a lock that it takes.
 */
export function lockClaims<Tables>(transaction: Kysely<Tables>, engine: string): Promise<void> {
  return lock(transaction, sql`1, hashtext(${engine})`)
}

/**
 * Serializes the transactions in which administrators change what users may do, or the site: two administrators who demote each
 * other would leave none. Call it before `lockUser`.
 */
export function lockAdministration<Tables>(transaction: Kysely<Tables>): Promise<void> {
  return lock(transaction, sql`3, 0`)
}

/**
 * Serializes the write transactions about a user: what one reads is not changed by another before it ends. The first
 * statement of the transaction, since later ones see what earlier holders of the lock wrote.
 */
export function lockUser<Tables>(transaction: Kysely<Tables>, userId: string): Promise<void> {
  return lock(transaction, sql`2, hashtext(${userId})`)
}

/** Serializes the transactions that count words, which would wait for each other's rows. */
export function lockWords<Tables>(transaction: Kysely<Tables>): Promise<void> {
  return lock(transaction, sql`4, 0`)
}

/** Takes a lock until the transaction ends. SQLite has one writing transaction at a time anyway. */
async function lock<Tables>(transaction: Kysely<Tables>, key: RawBuilder<unknown>): Promise<void> {
  if (dialectOf(transaction) === 'postgres')
    await sql`SELECT pg_advisory_xact_lock(${key})`.execute(transaction)
}

/** Runs work in a transaction that waits for the other write transactions about a user, see `lockUser`. */
export function inTransactionAbout<Result>(
  db: Database,
  userId: string,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (transaction) => {
    await lockUser(transaction, userId)
    return work(transaction)
  })
}
