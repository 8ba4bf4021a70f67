import type { RawBuilder } from 'kysely'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

export function postNotFound(): AppError {
  return new AppError('not_found', describedDetail('post_not_found'))
}

export function selectVisiblePost(
  db: Database,
  id: string | RawBuilder<string>,
  viewer: { readonly id: string } | null,
) {
  return selectVisiblePosts(db, viewer).where('posts.id', '=', id)
}

/** Selects the ids of posts that are not hidden, in the trash, or private ones of other users. */
export function selectVisiblePosts(db: Database, viewer: { readonly id: string } | null) {
  return db
    .selectFrom('posts')
    .select('posts.id')
    .where('posts.hidden_at', 'is', null)
    .where('posts.trashed_visibility', 'is', null)
    .where(({ eb, or }) =>
      or([
        eb('posts.visibility', '<>', 'private'),
        ...(viewer ? [eb('posts.author_id', '=', viewer.id)] : []),
      ]),
    )
}

/**
 * Requires that a user, or a visitor, sees a post.
 *
 * @throws AppError `not_found`, also if an administrator has hidden it, and for private posts of others
 */
export async function requireVisiblePost(
  db: Database,
  id: string,
  viewer: { readonly id: string } | null,
): Promise<void> {
  if (!(await selectVisiblePost(db, id, viewer).executeTakeFirst())) throw postNotFound()
}
