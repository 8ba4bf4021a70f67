import type { Selectable } from 'kysely'
import type {
  AccountData,
  ProviderConnection,
  SessionFacts,
  StoredAdminAction,
  StoredImageRow,
  StoredLike,
  StoredPost,
} from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ImagesTable, PostsTable } from '../db/schema.ts'
import { toImage } from '../images/images.ts'
import { listOwnInvitations } from '../invitations/invitations.ts'
import { listDecisions } from '../moderation/audit-log.ts'
import { selectPosts, toPost, type PostRow } from '../posts/post-queries.ts'
import { listWebhooks } from '../webhooks/manage-webhooks.ts'
import { listApiKeys } from './api-keys.ts'
import { listPasskeys } from './passkeys.ts'
import { readKnownUser } from './known-users.ts'
import { readAccess } from './user-access.ts'
import { readSettings } from './user-settings.ts'

type AccountFacts = {
  name: string
  email: string
  createdAt: string
  connections: readonly ProviderConnection[]
  sessions: readonly SessionFacts[]
}

interface ExportAccountServices {
  readonly db: Database
  readonly authenticator: {
    profileOf(userId: string): Promise<AccountFacts | null>
  }
}

/**
 * Exports everything that the server stores about a user: profile, images, posts, likes, settings, API keys, webhooks, passkeys,
 * sessions, invitations and moderation of their posts.
 */
export async function exportAccount(
  { db, authenticator }: ExportAccountServices,
  viewer: Viewer,
): Promise<AccountData> {
  const profile = await authenticator.profileOf(viewer.id)
  const known = await readKnownUser(db, viewer.id)
  const images = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .orderBy('seq', 'desc')
    .execute()
  const posts = await selectPosts(db)
    .select(storedPostColumns)
    .where('posts.author_id', '=', viewer.id)
    .orderBy('posts.seq', 'desc')
    .execute()
  return {
    user: {
      id: viewer.id,
      name: profile?.name ?? known?.name ?? null,
      email: profile?.email ?? null,
      createdAt: profile?.createdAt ?? null,
      lastSeenAt: moment(known?.last_seen_at ?? null),
    },
    images: images.map(toStoredImageRow),
    posts: posts.map(toStoredPost),
    likes: await listLikes(db, viewer),
    moderation: await listDecisions(db, viewer.id),
    settings: await readSettings(db, viewer),
    access: await readAccess(db, viewer.id),
    administration: await listActionsAbout(db, viewer.id),
    invitations: await listOwnInvitations(db, viewer.id),
    apiKeys: await listApiKeys({ db }, viewer),
    webhooks: await listWebhooks(db, viewer.id),
    passkeys: await listPasskeys({ db }, viewer),
    connections: profile?.connections ?? [],
    sessions: profile?.sessions ?? [],
  }
}

function toStoredImageRow(row: Selectable<ImagesTable>): StoredImageRow {
  return { ...toImage(row), withdrawnAt: moment(row.withdrawn_at), trashedAt: moment(row.trashed_at) }
}

/** Columns of `StoredPost` in addition to those of every post. */
const storedPostColumns = [
  'posts.shared_prompt',
  'posts.prompt_edited_at',
  'posts.hidden_at',
  'posts.withdrawn_at',
  'posts.trashed_visibility',
] as const

function toStoredPost(
  row: PostRow &
    Pick<
      Selectable<PostsTable>,
      'shared_prompt' | 'prompt_edited_at' | 'hidden_at' | 'withdrawn_at' | 'trashed_visibility'
    >,
): StoredPost {
  return {
    ...toPost(row),
    prompt: row.prompt,
    sharedPrompt: row.shared_prompt,
    promptEditedAt: moment(row.prompt_edited_at),
    hiddenAt: moment(row.hidden_at),
    withdrawnAt: moment(row.withdrawn_at),
    trashedVisibility: row.trashed_visibility,
  }
}

/** Lists the actions of administrators about a user, newest first. */
async function listActionsAbout(db: Database, userId: string): Promise<readonly StoredAdminAction[]> {
  const rows = await db
    .selectFrom('admin_log')
    .select(['action', 'details', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(({ action, details, created_at }) => ({
    action,
    details: JSON.parse(details) as StoredAdminAction['details'],
    createdAt: new Date(created_at).toISOString(),
  }))
}

async function listLikes(db: Database, viewer: Viewer): Promise<readonly StoredLike[]> {
  const rows = await db
    .selectFrom('post_likes')
    .select(['post_id', 'created_at'])
    .where('user_id', '=', viewer.id)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ post_id, created_at }) => ({
    postId: post_id,
    createdAt: new Date(created_at).toISOString(),
  }))
}

function moment(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
