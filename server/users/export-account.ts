import type { Selectable } from 'kysely'
import type { StoredImageRow, StoredPost, AccountData, SessionFacts } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ImagesTable, PostsTable } from '../db/schema.ts'
import { toImage } from '../images/images.ts'
import { listDecisions } from '../moderation/audit-log.ts'
import { selectPosts, toPost, type PostRow } from '../posts/post-queries.ts'
import { listApiKeys } from './api-keys.ts'

type AccountFacts = { name: string; email: string; createdAt: string; sessions: readonly SessionFacts[] }

interface ExportAccountServices {
  readonly db: Database
  readonly authenticator: {
    profileOf(userId: string): Promise<AccountFacts | null>
  }
}

/**
 * Exports everything that the server stores about a user: profile, images, posts, API keys, sessions and moderation
 * of their posts.
 */
export async function exportAccount(
  { db, authenticator }: ExportAccountServices,
  viewer: Viewer,
): Promise<AccountData> {
  const profile = await authenticator.profileOf(viewer.id)
  const images = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .orderBy('seq', 'desc')
    .execute()
  const posts = await selectPosts(db)
    .select(['posts.hidden_at', 'posts.withdrawn_at'])
    .where('posts.author_id', '=', viewer.id)
    .orderBy('posts.seq', 'desc')
    .execute()
  return {
    user: {
      id: viewer.id,
      name: profile?.name ?? null,
      email: profile?.email ?? null,
      createdAt: profile?.createdAt ?? null,
    },
    images: images.map(toStoredImageRow),
    posts: posts.map(toStoredPost),
    moderation: await listDecisions(db, viewer.id),
    apiKeys: await listApiKeys({ db }, viewer),
    sessions: profile?.sessions ?? [],
  }
}

function toStoredImageRow(row: Selectable<ImagesTable>): StoredImageRow {
  return { ...toImage(row), withdrawnAt: moment(row.withdrawn_at) }
}

function toStoredPost(row: PostRow & Pick<Selectable<PostsTable>, 'hidden_at' | 'withdrawn_at'>): StoredPost {
  return { ...toPost(row), hiddenAt: moment(row.hidden_at), withdrawnAt: moment(row.withdrawn_at) }
}

function moment(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
