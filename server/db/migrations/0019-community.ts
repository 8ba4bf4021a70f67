import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

const msPerDay = sql.lit(86_400_000)

/** Condition that a post is in the lists of everyone. */
const isListed = (post: string) => sql.raw(`(${post}.hidden_at IS NULL AND ${post}.visibility = 'public')`)

/** Frozen copy of `markedText` in migration 0006. */
const markedText = (post: string) =>
  sql.raw(`replace('xxx', 'x', char(983040 + (${post}.seq >> 13))) || ${post}.search_text`)

/**
 * Adds visibility, likes and remixes to posts. The search indexes and the counters contain the listed posts: those that are
 * public and not hidden. Likes are counted in `post_stats`, as PostgreSQL would write every index entry of a changed row of
 * `posts` again.
 */
export const community: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        ALTER TABLE posts ADD COLUMN visibility TEXT NOT NULL DEFAULT 'public'
          CHECK (visibility IN ('public', 'unlisted', 'private'))`.execute(db)
      await sql`ALTER TABLE posts ADD COLUMN hide_prompt INTEGER NOT NULL DEFAULT 0`.execute(db)
      await sql`ALTER TABLE posts ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0`.execute(db)
      await sql`ALTER TABLE posts ADD COLUMN shared_prompt TEXT`.execute(db)
      await sql`ALTER TABLE posts ADD COLUMN prompt_edited_at INTEGER`.execute(db)
      await sql`ALTER TABLE posts ADD COLUMN parent_id TEXT`.execute(db)
      await sql`
        CREATE TABLE post_stats (
          seq INTEGER PRIMARY KEY,
          author_id TEXT NOT NULL,
          day INTEGER NOT NULL,
          likes INTEGER NOT NULL,
          listed INTEGER NOT NULL
        ) STRICT`.execute(db)
      await sql`
        CREATE TABLE author_totals (author_id TEXT NOT NULL PRIMARY KEY, posts INTEGER NOT NULL)
        STRICT, WITHOUT ROWID`.execute(db)
      await sql`CREATE TABLE day_totals (day INTEGER PRIMARY KEY, posts INTEGER NOT NULL) STRICT`.execute(db)
      await sql`
        CREATE TABLE post_likes (
          post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
          user_id TEXT NOT NULL,
          created_at INTEGER NOT NULL,
          PRIMARY KEY (post_id, user_id)
        ) STRICT, WITHOUT ROWID`.execute(db)
      await sql`
        CREATE TABLE user_settings (
          user_id TEXT NOT NULL PRIMARY KEY,
          default_visibility TEXT NOT NULL CHECK (default_visibility IN ('public', 'unlisted', 'private'))
        ) STRICT, WITHOUT ROWID`.execute(db)
      await rebuildModerationLog(db)
      await createIndexes(db)
      await fillTables(db)
      await createSqliteTriggers(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      const text = sql.raw('text COLLATE "C"')
      await sql`
        ALTER TABLE posts
          ADD COLUMN visibility ${text} NOT NULL DEFAULT 'public'
            CHECK (visibility IN ('public', 'unlisted', 'private')),
          ADD COLUMN hide_prompt integer NOT NULL DEFAULT 0,
          ADD COLUMN sensitive integer NOT NULL DEFAULT 0,
          ADD COLUMN shared_prompt ${text},
          ADD COLUMN prompt_edited_at bigint,
          ADD COLUMN parent_id ${text}`.execute(db)
      await sql`
        CREATE TABLE post_stats (
          seq bigint PRIMARY KEY,
          author_id ${text} NOT NULL,
          day bigint NOT NULL,
          likes bigint NOT NULL,
          listed integer NOT NULL
        )`.execute(db)
      await sql`CREATE TABLE author_totals (author_id ${text} PRIMARY KEY, posts bigint NOT NULL)`.execute(db)
      await sql`CREATE TABLE day_totals (day bigint PRIMARY KEY, posts bigint NOT NULL)`.execute(db)
      await sql`
        CREATE TABLE post_likes (
          post_id ${text} NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
          user_id ${text} NOT NULL,
          created_at bigint NOT NULL,
          PRIMARY KEY (post_id, user_id)
        )`.execute(db)
      await sql`
        CREATE TABLE user_settings (
          user_id ${text} PRIMARY KEY,
          default_visibility ${text} NOT NULL CHECK (default_visibility IN ('public', 'unlisted', 'private'))
        )`.execute(db)
      await sql`
        ALTER TABLE moderation_log
          ADD COLUMN note ${text} NOT NULL DEFAULT '',
          DROP CONSTRAINT moderation_log_action_check,
          ADD CONSTRAINT moderation_log_action_check
            CHECK (action IN ('hide', 'unhide', 'dismiss', 'delete', 'mark_sensitive', 'unmark_sensitive'))`.execute(
        db,
      )
      await sql`ALTER TABLE gallery ADD COLUMN likes bigint NOT NULL DEFAULT 0`.execute(db)
      await sql`DROP INDEX posts_n_grams`.execute(db)
      await sql`
        CREATE INDEX posts_n_grams ON posts USING gin (n_grams(search_text)) WITH (fastupdate = off)
        WHERE hidden_at IS NULL AND visibility = 'public'`.execute(db)
      await createIndexes(db)
      await fillTables(db)
      await replacePostgresTriggers(db)
    },
  },
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX post_stats_top ON post_stats (likes DESC, seq DESC) WHERE listed = 1`.execute(db)
  await sql`CREATE INDEX post_stats_day ON post_stats (day, likes DESC, seq DESC) WHERE listed = 1`.execute(
    db,
  )
  // Has all columns that a list of an author's most liked posts of a period reads.
  await sql`CREATE INDEX post_stats_author ON post_stats (author_id, likes DESC, seq DESC, day)
    WHERE listed = 1`.execute(db)
  await sql`CREATE INDEX posts_listed ON posts (seq)
    WHERE hidden_at IS NULL AND visibility = 'public'`.execute(db)
  await sql`CREATE INDEX posts_author_listed ON posts (author_id, seq)
    WHERE hidden_at IS NULL AND visibility = 'public'`.execute(db)
  await sql`CREATE INDEX posts_parent ON posts (parent_id, seq)
    WHERE parent_id IS NOT NULL AND hidden_at IS NULL AND visibility = 'public'`.execute(db)
  await sql`CREATE INDEX post_likes_user ON post_likes (user_id, created_at)`.execute(db)
}

/** Runs before the triggers that maintain the tables are created. */
async function fillTables(db: Kysely<never>): Promise<void> {
  await sql`
    UPDATE posts SET parent_id = (SELECT remix_of FROM images WHERE images.id = posts.image_id)
    WHERE image_id IN (SELECT id FROM images WHERE remix_of IS NOT NULL)`.execute(db)
  await sql`
    INSERT INTO post_stats (seq, author_id, day, likes, listed)
    SELECT seq, author_id, created_at / ${msPerDay}, 0, CASE WHEN ${isListed('posts')} THEN 1 ELSE 0 END FROM posts`.execute(
    db,
  )
  await sql`
    INSERT INTO author_totals (author_id, posts)
    SELECT author_id, count(*) FROM posts WHERE ${isListed('posts')} GROUP BY author_id`.execute(db)
  await sql`
    INSERT INTO day_totals (day, posts)
    SELECT day, count(*) FROM post_stats WHERE listed = 1 GROUP BY day`.execute(db)
}

/** SQLite can't change a CHECK in place. */
async function rebuildModerationLog(db: Kysely<never>): Promise<void> {
  await sql`
    CREATE TABLE moderation_log_rebuilt (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      action TEXT NOT NULL CHECK (
        action IN ('hide', 'unhide', 'dismiss', 'delete', 'mark_sensitive', 'unmark_sensitive')
      ),
      administrator_id TEXT,
      administrator_name TEXT NOT NULL,
      post_id TEXT NOT NULL,
      author_id TEXT,
      reasons TEXT NOT NULL DEFAULT '[]',
      image_sha256 TEXT,
      created_at INTEGER NOT NULL,
      note TEXT NOT NULL DEFAULT ''
    ) STRICT`.execute(db)
  await sql`
    INSERT INTO moderation_log_rebuilt (
      seq, action, administrator_id, administrator_name, post_id, author_id, reasons, image_sha256, created_at
    )
    SELECT seq, action, administrator_id, administrator_name, post_id, author_id, reasons, image_sha256, created_at
    FROM moderation_log ORDER BY seq`.execute(db)
  await sql`DROP TABLE moderation_log`.execute(db)
  await sql`ALTER TABLE moderation_log_rebuilt RENAME TO moderation_log`.execute(db)
  await sql`CREATE INDEX moderation_log_author ON moderation_log (author_id, image_sha256)
    WHERE author_id IS NOT NULL`.execute(db)
}

/** Replaces the triggers of migration 0006. */
async function createSqliteTriggers(db: Kysely<never>): Promise<void> {
  for (const name of ['posts_added', 'posts_removed', 'posts_changing', 'posts_changed']) {
    await sql`DROP TRIGGER ${sql.table(name)}`.execute(db)
  }
  const add = sql`
    INSERT INTO posts_trigrams (rowid, text) VALUES (new.seq, ${markedText('new')});
    INSERT INTO posts_grams (rowid, grams) VALUES (new.seq, grams(new.search_text));
    INSERT INTO author_totals (author_id, posts) VALUES (new.author_id, 1)
      ON CONFLICT (author_id) DO UPDATE SET posts = posts + 1;
    INSERT INTO day_totals (day, posts) VALUES (new.created_at / ${msPerDay}, 1)
      ON CONFLICT (day) DO UPDATE SET posts = posts + 1;`
  const remove = sql`
    DELETE FROM posts_trigrams WHERE rowid = old.seq;
    DELETE FROM posts_grams WHERE rowid = old.seq;
    UPDATE gallery SET posts = posts - 1, changes = changes + 1;
    UPDATE author_totals SET posts = posts - 1 WHERE author_id = old.author_id;
    DELETE FROM author_totals WHERE author_id = old.author_id AND posts = 0;
    UPDATE day_totals SET posts = posts - 1 WHERE day = old.created_at / ${msPerDay};
    DELETE FROM day_totals WHERE day = old.created_at / ${msPerDay} AND posts = 0;`
  await sql`
    CREATE TRIGGER posts_added AFTER INSERT ON posts WHEN ${isListed('new')} BEGIN
      ${add}
      UPDATE gallery SET posts = posts + 1;
    END`.execute(db)
  await sql`
    CREATE TRIGGER posts_removed AFTER DELETE ON posts WHEN ${isListed('old')} BEGIN
      ${remove}
    END`.execute(db)
  // Reindexes on update: deletes the old entry, then inserts the new one.
  await sql`
    CREATE TRIGGER posts_changing BEFORE UPDATE OF seq, search_text, hidden_at, visibility ON posts
    WHEN ${isListed('old')} BEGIN
      ${remove}
    END`.execute(db)
  await sql`
    CREATE TRIGGER posts_changed AFTER UPDATE OF seq, search_text, hidden_at, visibility ON posts
    WHEN ${isListed('new')} BEGIN
      ${add}
      UPDATE gallery SET posts = posts + 1, changes = changes + 1;
    END`.execute(db)

  await sql`
    CREATE TRIGGER post_stats_added AFTER INSERT ON posts BEGIN
      INSERT INTO post_stats (seq, author_id, day, likes, listed)
      VALUES (new.seq, new.author_id, new.created_at / ${msPerDay}, 0, ${isListed('new')});
    END`.execute(db)
  await sql`
    CREATE TRIGGER post_stats_removed AFTER DELETE ON posts BEGIN
      DELETE FROM post_stats WHERE seq = old.seq;
    END`.execute(db)
  await sql`
    CREATE TRIGGER post_stats_changed AFTER UPDATE OF seq, hidden_at, visibility ON posts BEGIN
      UPDATE post_stats SET seq = new.seq, listed = ${isListed('new')} WHERE seq = old.seq;
    END`.execute(db)
  await sql`
    CREATE TRIGGER post_liked AFTER INSERT ON post_likes BEGIN
      UPDATE post_stats SET likes = likes + 1 WHERE seq = (SELECT seq FROM posts WHERE id = new.post_id);
    END`.execute(db)
  await sql`
    CREATE TRIGGER post_unliked AFTER DELETE ON post_likes BEGIN
      UPDATE post_stats SET likes = likes - 1 WHERE seq = (SELECT seq FROM posts WHERE id = old.post_id);
    END`.execute(db)
}

/** Changes in the totals of listed posts by a column, from the transition tables of a statement. */
const totalChanges = (
  column: string,
  tables: Readonly<Partial<Record<'posts_before' | 'posts_after', 1 | -1>>>,
) =>
  sql.raw(
    Object.entries(tables)
      .map(
        ([table, change]) =>
          `SELECT ${column} AS key, ${change} AS change FROM ${table}
           WHERE hidden_at IS NULL AND visibility = 'public'`,
      )
      .join(' UNION ALL '),
  )

/** Statements that apply `totalChanges`, after the lock of the row of `gallery`. */
const updateTotals = (tables: Parameters<typeof totalChanges>[1]) => sql`
  INSERT INTO author_totals AS totals (author_id, posts)
  SELECT key, sum(change) FROM (${totalChanges('author_id', tables)}) AS changes
  GROUP BY key HAVING sum(change) <> 0 ORDER BY key
  ON CONFLICT (author_id) DO UPDATE SET posts = totals.posts + excluded.posts;
  INSERT INTO day_totals AS totals (day, posts)
  SELECT key, sum(change) FROM (${totalChanges('created_at / 86400000', tables)}) AS changes
  GROUP BY key HAVING sum(change) <> 0 ORDER BY key
  ON CONFLICT (day) DO UPDATE SET posts = totals.posts + excluded.posts;`

const deleteEmptyTotals = sql`
  DELETE FROM author_totals WHERE posts = 0 AND author_id IN (SELECT author_id FROM posts_before);
  DELETE FROM day_totals WHERE posts = 0
    AND day IN (SELECT created_at / ${msPerDay} FROM posts_before);`

/** Replaces the functions of the triggers on posts, and adds those on likes. */
async function replacePostgresTriggers(db: Kysely<never>): Promise<void> {
  // Pages of unlisted posts are cached, too.
  const counts = sql`
    count(*) FILTER (WHERE hidden_at IS NULL AND visibility = 'public') AS visible,
    count(*) FILTER (WHERE hidden_at IS NULL AND visibility <> 'private') AS reachable`
  await sql`
    CREATE OR REPLACE FUNCTION count_added_posts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE gallery SET posts = posts + added.visible, newest = greatest(gallery.newest, added.newest)
      FROM (SELECT ${counts}, max(seq) AS newest FROM posts_after) AS added
      WHERE added.newest IS NOT NULL;
      INSERT INTO post_stats (seq, author_id, day, likes, listed)
      SELECT seq, author_id, created_at / ${msPerDay}, 0, CASE WHEN ${isListed('posts_after')} THEN 1 ELSE 0 END
      FROM posts_after;
      ${updateTotals({ posts_after: 1 })}
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE OR REPLACE FUNCTION count_removed_posts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE gallery SET posts = posts - removed.visible, changes = changes + removed.reachable
      FROM (SELECT ${counts} FROM posts_before) AS removed
      WHERE removed.reachable > 0;
      DELETE FROM post_stats WHERE seq IN (SELECT seq FROM posts_before);
      ${updateTotals({ posts_before: -1 })}
      ${deleteEmptyTotals}
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE OR REPLACE FUNCTION count_changed_posts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE gallery SET
        posts = posts - old_posts.visible + new_posts.visible,
        newest = greatest(gallery.newest, new_posts.newest),
        changes = changes + old_posts.reachable + new_posts.reachable
      FROM (SELECT ${counts} FROM posts_before) AS old_posts,
        (SELECT ${counts}, max(seq) AS newest FROM posts_after) AS new_posts
      WHERE old_posts.reachable + new_posts.reachable > 0;
      UPDATE post_stats SET listed = changed.listed
      FROM (
        SELECT seq, CASE WHEN ${isListed('posts_after')} THEN 1 ELSE 0 END AS listed FROM posts_after
      ) AS changed
      WHERE changed.seq = post_stats.seq AND changed.listed <> post_stats.listed;
      ${updateTotals({ posts_before: -1, posts_after: 1 })}
      ${deleteEmptyTotals}
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE OR REPLACE FUNCTION count_changed_image() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE gallery SET changes = changes + 1
      WHERE EXISTS (
        SELECT FROM posts WHERE image_id = new.id AND hidden_at IS NULL AND visibility <> 'private'
      );
      RETURN NULL;
    END $$`.execute(db)

  for (const [name, table, sign] of [
    ['post_liked', 'likes_after', '+'],
    ['post_unliked', 'likes_before', '-'],
  ] as const) {
    await sql`
      CREATE FUNCTION ${sql.raw(`count_${name}`)}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- First, as in the triggers on posts: in another order, two transactions could wait for each other.
        UPDATE gallery SET likes = likes + 1 WHERE EXISTS (SELECT FROM ${sql.table(table)});
        UPDATE post_stats SET likes = post_stats.likes ${sql.raw(sign)} changed.likes
        FROM (
          SELECT posts.seq, count(*) AS likes
          FROM ${sql.table(table)} AS changes JOIN posts ON posts.id = changes.post_id
          GROUP BY posts.seq
        ) AS changed
        WHERE changed.seq = post_stats.seq;
        RETURN NULL;
      END $$`.execute(db)
    const [event, kind] = sign === '+' ? ['INSERT', 'NEW'] : ['DELETE', 'OLD']
    await sql`
      CREATE TRIGGER ${sql.raw(name)} AFTER ${sql.raw(event)} ON post_likes
      REFERENCING ${sql.raw(kind)} TABLE AS ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION ${sql.raw(`count_${name}`)}()`.execute(db)
  }
}
