import { sql } from 'kysely'
import type { PostsOfDeleted } from '../../shared/account.ts'
import { lockUser } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Generations } from '../images/generation/generations.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { markClosed } from './closed-accounts.ts'

/** Replaces the name of a deleted administrator in the audit log. */
const formerAdministrator = 'A former administrator'

export interface DeleteAccountServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly generations: Pick<Generations, 'cancelAll'>
  readonly now: () => number
}

interface DeletionOptions {
  readonly posts: PostsOfDeleted
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
  { db, blobs, generations, now }: DeleteAccountServices,
  userId: string,
  { posts, before, after }: DeletionOptions,
): Promise<void> {
  await generations.cancelAll(userId)
  const folders = await inTransaction(db, async (transaction) => {
    await before?.(transaction)
    await lockUser(transaction, userId)
    await deletePosts(transaction, userId, posts)
    await markClosed({ db: transaction, now }, userId)
    for (const table of [
      'daily_usage',
      'post_likes',
      'user_settings',
      'user_access',
      'known_users',
      'mails',
      // Those of the site; those of the user's own webhooks are deleted with them.
      'webhook_deliveries',
    ] as const) {
      await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
    }
    await transaction.deleteFrom('appeals').where('author_id', '=', userId).execute()
    // Passkeys are deleted with the account; challenges of those that are being added name it.
    await sql`DELETE FROM "verification" WHERE "value" LIKE ${`%${userId}%`}`.execute(transaction)
    await transaction
      .updateTable('moderation_log')
      .set({ administrator_id: null, administrator_name: formerAdministrator })
      .where('administrator_id', '=', userId)
      .execute()
    await transaction
      .updateTable('moderation_log')
      .set({ author_id: null, image_sha256: null, note: '' })
      .where('author_id', '=', userId)
      .execute()
    await transaction
      .updateTable('admin_log')
      .set({ administrator_id: null, administrator_name: formerAdministrator })
      .where('administrator_id', '=', userId)
      .execute()
    await transaction
      .updateTable('invitations')
      .set({ creator_id: null, creator_name: formerAdministrator })
      .where('creator_id', '=', userId)
      .execute()
    await transaction.updateTable('admin_log').set({ user_id: null }).where('user_id', '=', userId).execute()
    const deleted = await deleteUnsharedImages(transaction, userId)
    await blobs.unlink(transaction, deleted)
    await after?.(transaction)
    return deleted
  })
  // After the transaction. Files left by a crash are orphaned, and removed by the next sweep.
  for (const folder of folders) await blobs.remove(folder)
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

/** Deletes images without posts and returns their folders; clears the personal data of the others. */
async function deleteUnsharedImages(transaction: Database, userId: string): Promise<string[]> {
  const deleted = await transaction
    .deleteFrom('images')
    .where('owner_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('posts').select('id').whereRef('image_id', '=', 'images.id'))),
    )
    .returning('folder')
    .execute()
  await transaction
    .updateTable('images')
    .set({ prompt: '', request_key: null, counted_on: null, upload_sha256: null })
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
  return deleted.flatMap(({ folder }) => folder ?? [])
}
