import type { AdminActionDetails } from '../../shared/admin.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { toImage } from '../images/images.ts'
import { listOwnInvitations } from '../invitations/invitations.ts'
import { listDecisions } from '../audit/moderation-log.ts'
import { readNotificationSettings } from '../notifications/notification-settings.ts'
import { selectPosts, toPost } from '../posts/post-queries.ts'
import type { WriteLimits } from '../rate-limits/rate-limiter.ts'
import { isoTime } from '../text/iso-time.ts'
import { listWebhooks } from '../webhooks/stored-webhooks.ts'
import type { ProgramServices } from '../programs/oauth-clients.ts'
import type { Authenticator } from '../access/authenticator.ts'
import { listApiKeys } from '../access/api-keys.ts'
import { readAccess } from '../access/user-access.ts'
import { readSettings, selectSettings } from '../access/user-settings.ts'
import { exportStyles } from '../styles/stored-styles.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface AccountServices extends ProgramServices {
  readonly authenticator: Pick<Authenticator, 'profileOf'>
  readonly writeLimits: Pick<WriteLimits, 'exports'>
}

/**
 * Exports everything that the server stores about a user, but no secrets: profile, images, posts, likes, collections, settings,
 * daily usage, notifications, API keys, webhooks, passkeys, sessions, invitations and moderation of their posts. Times are ISO 8601, UTC. A
 * hosted sign-in service has the email, connections, passkeys and sessions of its users.
 */
export async function exportAccount({ db, now, authenticator }: AccountServices, viewer: Viewer) {
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
    .select(['post_id as postId', 'created_at as createdAt'])
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .execute()
  const notifications = await db
    .selectFrom('notifications')
    .select(['kind', 'post_id as postId', 'collection_id as collectionId', 'created_at as createdAt'])
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .execute()
  const devices = await db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'created_at as createdAt'])
    .where('user_id', '=', id)
    .orderBy('seq')
    .execute()
  const { language = null } = (await selectSettings(db, id).select('language').executeTakeFirst()) ?? {}
  const dailyUsage = await db
    .selectFrom('daily_usage')
    .select(['day', 'kind', 'used'])
    .where('user_id', '=', id)
    .orderBy('day', 'desc')
    .orderBy('kind')
    .execute()
  const actions = await db
    .selectFrom('admin_log')
    .select(['action', 'details', 'created_at as createdAt'])
    .where('user_id', '=', id)
    .orderBy('seq', 'desc')
    .execute()
  return {
    user: {
      id,
      name: profile?.name ?? known?.name ?? null,
      email: profile?.email ?? null,
      createdAt: profile?.createdAt ?? null,
      /** Accurate to the hour; null before the first visit. */
      lastSeenAt: isoTime(known?.last_seen_at ?? null),
    },
    images: images.map((row) =>
      Object.assign(toImage(row), {
        /** Time at which the user deleted it while it was hidden; kept until an administrator decides. */
        withdrawnAt: isoTime(row.withdrawn_at),
        trashedAt: isoTime(row.trashed_at),
      }),
    ),
    posts: posts.map((row) =>
      Object.assign(toPost(row), {
        prompt: row.prompt,
        /** Prompt before it was first edited; null if it never was, like `promptEditedAt`. */
        sharedPrompt: row.shared_prompt,
        promptEditedAt: isoTime(row.prompt_edited_at),
        hiddenAt: isoTime(row.hidden_at),
        withdrawnAt: isoTime(row.withdrawn_at),
        /** Visibility to restore while its image is in the trash; else null. */
        trashedVisibility: row.trashed_visibility,
      }),
    ),
    likes: likes.map(withIsoTime),
    moderation: await listDecisions(db, id),
    settings: { ...(await readSettings(db, viewer)), mailLanguage: language },
    dailyUsage,
    access: await readAccess(db, id),
    administration: actions.map(({ details, ...row }) =>
      Object.assign(withIsoTime(row), { details: JSON.parse(details) as AdminActionDetails }),
    ),
    collections: await listStoredCollections(db, id),
    styles: await exportStyles(db, id),
    invitations: await listOwnInvitations(db, id),
    apiKeys: await listApiKeys(db, id),
    notifications: notifications.map(withIsoTime),
    notificationSettings: await readNotificationSettings(db, id),
    pushSubscriptions: devices.map(withIsoTime),
    webhooks: await listWebhooks({ db, now }, id),
    passkeys: await listPasskeys(db, id),
    connections: profile?.connections ?? [],
    sessions: profile?.sessions ?? [],
  }
}

function withIsoTime<Row extends { readonly createdAt: number }>({ createdAt, ...others }: Row) {
  return { ...others, createdAt: isoTime(createdAt) }
}

/** Lists the collections that a user owns or has joined, or to which they added posts, newest first. */
async function listStoredCollections(db: Database, userId: string) {
  const entries = await db
    .selectFrom('collection_posts')
    .select(['collection_id', 'post_id', 'added_at'])
    .where('added_by', '=', userId)
    .orderBy('added_at', 'desc')
    .execute()
  const joined = await db
    .selectFrom('collection_contributors')
    .select(['collection_id', 'joined_at'])
    .where('user_id', '=', userId)
    .execute()
  const ids = new Set([...entries, ...joined].map(({ collection_id }) => collection_id))
  const rows = await db
    .selectFrom('collections')
    .selectAll()
    .where((eb) => eb.or([eb('owner_id', '=', userId), isOneOf(db, 'id', [...ids], 'text')]))
    .orderBy('seq', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    // Those of others may be private by now.
    own:
      row.owner_id === userId
        ? {
            title: row.title,
            description: row.description,
            visibility: row.visibility,
            contributors: row.contributors,
            createdAt: isoTime(row.created_at),
          }
        : null,
    joinedAt: isoTime(joined.find(({ collection_id }) => collection_id === row.id)?.joined_at ?? null),
    addedPosts: entries
      .filter(({ collection_id }) => collection_id === row.id)
      .map(({ post_id, added_at }) => ({ postId: post_id, addedAt: isoTime(added_at) })),
  }))
}

/** Lists a user's passkeys, oldest first; none with a hosted sign-in service. */
export async function listPasskeys(db: Database, userId: string) {
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
    /** Time of the last sign-in with it; null if there was none. */
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }))
}
