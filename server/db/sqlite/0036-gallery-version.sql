import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Condition that others than the author can reach a post: listed, or by its link. */
const isReachable = (post: string) => `(${post}.hidden_at IS NULL AND ${post}.visibility <> 'private')`

const imageColumns = ['folder', 'width', 'height', 'placeholder', 'source', 'engine']

const valuesOf = (row: string) => imageColumns.map((column) => `${row}.${column}`).join(', ')

/** Event and condition of each change that outdates cached responses, with the counter that it increases. */
const changes: Readonly<Record<string, readonly [event: string, counter: 'changes' | 'likes']>> = {
  gallery_posts_changed: [`UPDATE ON posts WHEN ${isReachable('old')} OR ${isReachable('new')}`, 'changes'],
  gallery_posts_removed: [`DELETE ON posts WHEN ${isReachable('old')}`, 'changes'],
  gallery_images_changed: [
    `UPDATE OF ${imageColumns.join(', ')} ON images
     WHEN old.folder IS NOT NULL AND (${valuesOf('old')}) IS NOT (${valuesOf('new')})
       AND EXISTS (SELECT 1 FROM posts WHERE image_id = new.id AND ${isReachable('posts')})`,
    'changes',
  ],
  gallery_post_liked: ['INSERT ON post_likes', 'likes'],
  gallery_post_unliked: ['DELETE ON post_likes', 'likes'],
  gallery_option_added: ['INSERT ON site_options', 'changes'],
  gallery_option_changed: ['UPDATE ON site_options', 'changes'],
  gallery_option_removed: ['DELETE ON site_options', 'changes'],
}

/** Makes SQLite count the changes of what visitors see, as PostgreSQL does. */
export const galleryVersion: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`ALTER TABLE gallery ADD COLUMN likes INTEGER NOT NULL DEFAULT 0`.execute(db)
      for (const [name, [event, counter]] of Object.entries(changes)) {
        await sql
          .raw(
            `CREATE TRIGGER ${name} AFTER ${event} BEGIN UPDATE gallery SET ${counter} = ${counter} + 1; END`,
          )
          .execute(db)
      }
    },
  },
  postgres: { async up() {} },
}
