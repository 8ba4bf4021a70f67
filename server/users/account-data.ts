import { sql } from 'kysely'
import type {
  AccountData,
  Passkey,
  PostsOfDeleted,
  StoredAdminAction,
  StoredImageRow,
  StoredPost,
} from '../../shared/account.ts'
import type { Logger } from 'pino'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction, lockUser } from '../db/transaction.ts'
import type { Generations } from '../images/generation/generations.ts'
import { hasNoPosts, toImage } from '../images/images.ts'
import { removeFolders } from '../images/stored-images.ts'
import { listOwnInvitations } from '../invitations/invitations.ts'
import { listDecisions } from '../audit/moderation-log.ts'
import { selectPosts, toPost } from '../posts/post-queries.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { isoTime } from '../text/iso-time.ts'
import { listWebhooks } from '../webhooks/stored-webhooks.ts'
import type { Authenticator } from '../access/authenticator.ts'
import { listApiKeys } from '../access/api-keys.ts'
import { changeAccess, readAccess, markClosed, type UserServices } from '../access/user-access.ts'
import { readSettings } from '../access/user-settings.ts'

export interface ExportAccountServices extends UserServices {
  readonly authenticator: Pick<Authenticator, 'profileOf'>
}

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface AccountServices extends ExportAccountServices {
  readonly writeLimits: Pick<WriteLimits, 'exports'>
}

/**
 * Exports everything that the server stores about a user: profile, images, posts, likes, settings, API keys, webhooks, passkeys,
 * sessions, invitations and moderation of their posts.
 */
export async function exportAccount(
  { db, now, authenticator }: ExportAccountServices,
  viewer: Viewer,
): Promise<AccountData> {
  const { id } = viewer
  const profile = await authenticator.profileOf(id)
  const known = await db
    .selectFrom('known_users')
    .select(['name', 'last_seen_at'])
    .where('user_id', '=', id)
    .executeTakeFirst()
  const images = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', id)
    .orderBy('seq', 'desc')
    .execute()
  const posts = await selectPosts(db)
    .select(['posts.shared_prompt', 'posts.prompt_edited_at', 'posts.hidden_at'])
    .select(['posts.withdrawn_at', 'posts.trashed_visibility'])
    .where('posts.author_id', '=', id)
    .orderBy('posts.seq', 'desc')
    .execute()
  const likes = await db
    .selectFrom('post_likes')
    .select(['post_id', 'created_at'])
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .execute()
  const actions = await db
    .selectFrom('admin_log')
    .select(['action', 'details', 'created_at'])
    .where('user_id', '=', id)
    .orderBy('seq', 'desc')
    .execute()
  const toStoredImage = (row: (typeof images)[number]): StoredImageRow => ({
    ...toImage(row),
    withdrawnAt: isoTime(row.withdrawn_at),
    trashedAt: isoTime(row.trashed_at),
  })
  const toStoredPost = (row: (typeof posts)[number]): StoredPost => ({
    ...toPost(row),
    prompt: row.prompt,
    sharedPrompt: row.shared_prompt,
    promptEditedAt: isoTime(row.prompt_edited_at),
    hiddenAt: isoTime(row.hidden_at),
    withdrawnAt: isoTime(row.withdrawn_at),
    trashedVisibility: row.trashed_visibility,
  })
  return {
    user: {
      id,
      name: profile?.name ?? known?.name ?? null,
      email: profile?.email ?? null,
      createdAt: profile?.createdAt ?? null,
      lastSeenAt: isoTime(known?.last_seen_at ?? null),
    },
    images: images.map(toStoredImage),
    posts: posts.map(toStoredPost),
    likes: likes.map((row) => ({ postId: row.post_id, createdAt: isoTime(row.created_at) })),
    moderation: await listDecisions(db, id),
    settings: await readSettings(db, viewer),
    access: await readAccess(db, id),
    administration: actions.map(({ action, details, created_at }) => ({
      action,
      details: JSON.parse(details) as StoredAdminAction['details'],
      createdAt: isoTime(created_at),
    })),
    invitations: await listOwnInvitations(db, id),
    apiKeys: await listApiKeys(db, id),
    webhooks: await listWebhooks({ db, now }, id),
    passkeys: await listPasskeys(db, id),
    connections: profile?.connections ?? [],
    sessions: profile?.sessions ?? [],
  }
}

/** Lists a user's passkeys, oldest first; none with a hosted sign-in service. */
export async function listPasskeys(db: Database, userId: string): Promise<readonly Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }))
}

/** Tables of whose rows those of the user are deleted, with the column that has the user's id. */
const deletedRows = [
  ['daily_usage', 'user_id'],
  ['post_likes', 'user_id'],
  ['user_settings', 'user_id'],
  ['mails', 'user_id'],
  // Those of the site; those of the user's own webhooks are deleted with them.
  ['webhook_deliveries', 'user_id'],
  ['appeals', 'author_id'],
] as const

/** Replaces the name of a deleted administrator. */
const formerAdministrator = 'A former administrator'

/** Columns of rows that remain, from which the user's id is removed, with the columns that are replaced then. */
const clearedColumns = [
  ['moderation_log', 'administrator_id', { administrator_name: formerAdministrator }],
  ['moderation_log', 'author_id', { image_sha256: null, note: '' }],
  ['admin_log', 'administrator_id', { administrator_name: formerAdministrator }],
  ['admin_log', 'user_id', {}],
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
    await changeAccess(transaction, userId, { role: 'member', role_by_provider: 0, daily_image_limit: null })
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
  return deleted
}
