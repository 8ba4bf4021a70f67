import type { Post } from '../../shared/posts.ts'
import type { Database } from '../db/open-database.ts'
import { photoPath } from '../images/image-row.ts'

/** Posts with what their images' rows know; every query for posts starts here. */
export function selectPosts(db: Database) {
  return db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .select([
      'posts.seq',
      'posts.id',
      'posts.author_id',
      'posts.name',
      'posts.prompt',
      'posts.created_at',
      'images.folder',
      'images.width',
      'images.height',
      'images.placeholder',
      'images.source',
      'images.engine',
    ])
}

export type PostRow = Awaited<ReturnType<ReturnType<typeof selectPosts>['executeTakeFirstOrThrow']>>

/** A row as every visitor sees it. */
export function toPost(row: PostRow): Post {
  if (row.folder === null || row.width === null || row.height === null) {
    throw new Error(`Post ${row.id} shows an image without an image.`)
  }
  return {
    id: row.id,
    name: row.name,
    prompt: row.prompt,
    photo: photoPath(row.folder),
    width: row.width,
    height: row.height,
    placeholder: row.placeholder ?? '',
    source: row.source,
    engine: row.engine,
    authorId: row.author_id,
    createdAt: new Date(row.created_at).toISOString(),
  }
}
