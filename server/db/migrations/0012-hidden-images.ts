import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Hiding a post hides its image, every copy of it that the same user has, and every post that shows one of them. What
 * its author deletes meanwhile is withdrawn: kept until an administrator decides. The log says whose post it was, what
 * it was reported as, and which bytes may not be shared again.
 */
export const hiddenImages: Migration = {
  async up(db: Kysely<never>) {
    await sql`ALTER TABLE images ADD COLUMN hidden_at INTEGER`.execute(db)
    await sql`ALTER TABLE images ADD COLUMN withdrawn_at INTEGER`.execute(db)
    await sql`ALTER TABLE posts ADD COLUMN withdrawn_at INTEGER`.execute(db)
    await sql`ALTER TABLE moderation_log ADD COLUMN author_id TEXT`.execute(db)
    await sql`ALTER TABLE moderation_log ADD COLUMN reasons TEXT NOT NULL DEFAULT '[]'`.execute(db)
    await sql`ALTER TABLE moderation_log ADD COLUMN image_sha256 TEXT`.execute(db)
    await sql`CREATE INDEX moderation_log_author ON moderation_log (author_id, image_sha256)
      WHERE author_id IS NOT NULL`.execute(db)

    await sql`
      UPDATE images SET hidden_at = hidden.at
      FROM (
        SELECT images.owner_id, images.sha256, min(posts.hidden_at) AS at
        FROM posts JOIN images ON images.id = posts.image_id
        WHERE posts.hidden_at IS NOT NULL
        GROUP BY images.owner_id, images.sha256
      ) AS hidden
      WHERE images.owner_id = hidden.owner_id AND images.sha256 = hidden.sha256`.execute(db)
    await sql`
      UPDATE posts SET hidden_at = images.hidden_at
      FROM images
      WHERE images.id = posts.image_id AND images.hidden_at IS NOT NULL AND posts.hidden_at IS NULL`.execute(
      db,
    )
    await sql`
      UPDATE moderation_log SET
        author_id = posts.author_id,
        reasons = CASE WHEN action = 'hide' THEN (
          SELECT json_group_array(reason) FROM (
            SELECT DISTINCT reason FROM reports WHERE reports.post_id = posts.id ORDER BY reason
          )
        ) ELSE '[]' END
      FROM posts WHERE posts.id = moderation_log.post_id`.execute(db)
  },
}
