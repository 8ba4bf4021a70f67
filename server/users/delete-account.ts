import { sql } from 'kysely'
import type { PostsOfDeleted } from '../../shared/account.ts'
import type { Logger } from 'pino'
import { outdateResponses } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction, lockUser } from '../db/transaction.ts'
import type { Generations } from '../images/generation/generations.ts'
import { hasNoPosts } from '../images/images.ts'
import { removeFolders } from '../images/stored-images.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { changeAccess, readAccess, markClosed, type UserServices } from '../access/user-access.ts'

/** Tables of whose rows those of the user are deleted, with the column that has the user's id. */
const deletedRows = [
  ['daily_usage', 'user_id'],
  ['monthly_spending', 'user_id'],
  ['daily_spending', 'user_id'],
  ['post_likes', 'user_id'],
  ['user_settings', 'user_id'],
  ['mails', 'user_id'],
  ['notifications', 'user_id'],
  ['notification_events', 'actor_id'],
  ['notification_settings', 'user_id'],
  ['push_subscriptions', 'user_id'],
  // Those of the site; those of the user's own webhooks are deleted with them.
  ['webhook_deliveries', 'user_id'],
  ['appeals', 'author_id'],
  ['styles', 'owner_id'],
  // With their entries, whose posts remain.
  ['collections', 'owner_id'],
  ['collection_contributors', 'user_id'],
] as const

const formerAdministrator = 'A former administrator'

/** Columns of rows that remain, from which the user's id is removed, with the columns that are replaced then. */
const clearedColumns = [
  ['moderation_log', 'administrator_id', { administrator_name: formerAdministrator }],
  ['moderation_log', 'author_id', { image_sha256: null, note: '' }],
  ['admin_log', 'administrator_id', { administrator_name: formerAdministrator }],
  ['admin_log', 'user_id', {}],
  ['collection_posts', 'added_by', {}],
  ['invitations', 'creator_id', { creator_name: formerAdministrator }],
] as const

export interface DeleteAccountServices extends UserServices {
  readonly blobs: BlobStore
  readonly log: Logger
  readonly generations: Pick<Generations, 'cancelAll'>
}

interface DeletionOptions {
  readonly posts: PostsOfDeleted
  /** True to leave a blocked user blocked, whose account at a hosted service remains. */
  readonly keepsBlock?: boolean
  /** Runs first in the transaction; its error prevents the deletion. */
  readonly before?: (transaction: Database) => Promise<void>
  /** Runs last in the transaction. */
  readonly after?: (transaction: Database) => Promise<void>
}

/**
 * Deletes everything stored about a user. With `posts: 'keep'`, posts that others see remain, with their images and the name
 * and prompt they show. The audit log remains without the user's id and name. Idempotent.
 */
export async function deleteAccountData(
  { db, blobs, log, generations, now }: DeleteAccountServices,
  userId: string,
  { posts, keepsBlock = false, before, after }: DeletionOptions,
): Promise<void> {
  await generations.cancelAll(userId)
  // Before the transaction, as there is no index. Later ones are useless without the account, and expire.
  const verifications = await findVerifications(db, userId)
  await inTransaction(db, async (transaction) => {
    await before?.(transaction)
    await lockUser(transaction, userId)
    await outdateResponses(transaction)
    await deletePosts(transaction, userId, posts)
    await markClosed({ db: transaction, now }, userId)
    await deleteAccess(transaction, userId, keepsBlock)
    for (const [table, column] of deletedRows) {
      await transaction.deleteFrom(table).where(sql.ref(column), '=', userId).execute()
    }
    if (verifications.length > 0) {
      await transaction.deleteFrom('verification').where('id', 'in', verifications).execute()
    }
    for (const [table, column, values] of clearedColumns) {
      await transaction
        .updateTable(table)
        .set({ [column]: null, ...values })
        .where(sql.ref(column), '=', userId)
        .execute()
    }
    await removeFolders({ blobs, log }, transaction, await deleteUnsharedImages(transaction, userId))
    await after?.(transaction)
  })
}

/** Finds better-auth's verifications of a user: the value is the id, or JSON of a passkey's challenge with it. */
async function findVerifications(db: Database, userId: string): Promise<readonly string[]> {
  const named = JSON.stringify(userId).replace(/[!%_]/g, '!$&')
  const { rows } = await sql<{ id: string }>`SELECT "id" FROM "verification"
    WHERE "value" = ${userId} OR "value" LIKE ${`%${named}%`} ESCAPE '!'`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes what a user may do, and their entry in the directory of a hosted sign-in service.
 *
 * @param keepsBlock true to leave a blocked user blocked, and in the directory under their id
 */
async function deleteAccess(transaction: Database, userId: string, keepsBlock: boolean): Promise<void> {
  if (keepsBlock && (await readAccess(transaction, userId)).isBlocked) {
    const limits = { daily_image_limit: null, monthly_budget_micros: null }
    await changeAccess(transaction, userId, { role: 'member', role_by_provider: 0, ...limits })
    await transaction
      .updateTable('known_users')
      .set({ name: userId, search_name: '', image_url: null })
      .where('user_id', '=', userId)
      .execute()
    return
  }
  for (const table of ['user_access', 'known_users'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}

/** Deletes a user's posts, or only what others don't see: hidden and private posts, and hidden prompts. */
async function deletePosts(transaction: Database, userId: string, posts: PostsOfDeleted): Promise<void> {
  const own = transaction.deleteFrom('posts').where('author_id', '=', userId)
  if (posts === 'remove') {
    await own.execute()
    return
  }
  await own
    .where(({ eb, or }) => or([eb('hidden_at', 'is not', null), eb('visibility', '=', 'private')]))
    .execute()
  await transaction
    .updateTable('posts')
    .set({ prompt: '', shared_prompt: null })
    .where('author_id', '=', userId)
    .where('hide_prompt', '=', 1)
    .execute()
}

/** Deletes images without posts and returns them; clears the personal data of the others. */
async function deleteUnsharedImages(transaction: Database, userId: string) {
  const deleted = await transaction
    .deleteFrom('images')
    .where('owner_id', '=', userId)
    .where(hasNoPosts)
    .returning('folder')
    .execute()
  await transaction
    .updateTable('images')
    .set({ prompt: '', search_text: '', request_key: null, counted_on: null, upload_sha256: null })
    .where('owner_id', '=', userId)
    .execute()
  // Recipes contain words of the prompt and the negative prompt, which are hidden with it.
  await transaction
    .updateTable('images')
    .set({ recipe: null })
    .where('owner_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('posts')
            .select('id')
            .whereRef('image_id', '=', 'images.id')
            .where('hide_prompt', '=', 0),
        ),
      ),
    )
    .execute()
  return deleted
}
