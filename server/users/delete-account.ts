import type { PostsOfDeleted } from '../../shared/account.ts'
import type { Database } from '../db/open-database.ts'
import type { Generations } from '../images/generation/generations.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { closeAccount } from './closed-accounts.ts'

/** What an administrator did stays on record, without their name. */
const formerAdministrator = 'A former administrator'

interface DeleteAccountServices {
  readonly db: Database
  readonly blobs: BlobStore
  readonly generations: Pick<Generations, 'cancelAll'>
  readonly now: () => number
}

/**
 * Forgets a user: all that they had made here goes, except, if `posts` is to keep them, what they shared and no
 * administrator has hidden. A post stays under the name it shows. What administrators did to their posts stays on
 * record, without whose posts they were. Does nothing to somebody who is forgotten already.
 */
export async function deleteAccountData(
  { db, blobs, generations, now }: DeleteAccountServices,
  userId: string,
  { posts }: { readonly posts: PostsOfDeleted },
): Promise<void> {
  await generations.cancelAll(userId)
  const folders = await db.transaction().execute(async (transaction) => {
    await removePosts(transaction, userId, posts)
    await closeAccount({ db: transaction, now }, userId)
    await transaction.deleteFrom('daily_usage').where('user_id', '=', userId).execute()
    await transaction
      .updateTable('moderation_log')
      .set({ administrator_name: formerAdministrator })
      .where('administrator_id', '=', userId)
      .execute()
    await transaction
      .updateTable('moderation_log')
      .set({ author_id: null, image_sha256: null })
      .where('author_id', '=', userId)
      .execute()
    return removeUnsharedImages(transaction, userId)
  })
  // After the transaction: what a crash leaves behind here, no row knows, and the next sweep removes it.
  for (const folder of folders) await blobs.remove(folder)
}

/** Deletes their posts; where they are to be kept, the hidden ones only, which nobody would see. */
async function removePosts(transaction: Database, userId: string, posts: PostsOfDeleted): Promise<void> {
  const own = transaction.deleteFrom('posts').where('author_id', '=', userId)
  await (posts === 'remove' ? own : own.where('hidden_at', 'is not', null)).execute()
}

/** Returns the folders of the images whose rows it deleted. */
async function removeUnsharedImages(transaction: Database, userId: string): Promise<string[]> {
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
  return deleted.flatMap(({ folder }) => folder ?? [])
}
