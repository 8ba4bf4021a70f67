import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Indexed text of a post: the mark of its block, three times the same private-use character, and the text. Frozen copy of
 * `blockMark` and `blockBits` in db/sqlite/post-index.ts: a migration must not change with the code.
 */
const markedText = (post: string) =>
  sql.raw(`replace('xxx', 'x', char(983040 + (${post}.seq >> 13))) || ${post}.search_text`)

/**
 * Search index: `posts_trigrams` finds terms of three and more characters, `posts_grams` shorter ones, and `gallery` counts
 * all posts. They contain the posts that are not hidden; triggers maintain them for every writer. `grams` is an SQL function
 * of our connections.
 */
export const postSearch: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      CREATE VIRTUAL TABLE posts_trigrams USING fts5 (
        text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
      )`.execute(db)
    await sql`
      CREATE VIRTUAL TABLE posts_grams USING fts5 (
        grams, content = '', contentless_delete = 1, detail = 'none', tokenize = 'ascii'
      )`.execute(db)
    await sql`
      CREATE TABLE gallery (
        posts INTEGER NOT NULL,
        changes INTEGER NOT NULL
      ) STRICT`.execute(db)

    await sql`
      INSERT INTO posts_trigrams (rowid, text)
      SELECT seq, ${markedText('posts')} FROM posts WHERE hidden_at IS NULL ORDER BY seq`.execute(db)
    await sql`
      INSERT INTO posts_grams (rowid, grams)
      SELECT seq, grams(search_text) FROM posts WHERE hidden_at IS NULL ORDER BY seq`.execute(db)
    await sql`
      INSERT INTO gallery (posts, changes)
      SELECT count(*), 0 FROM posts WHERE hidden_at IS NULL`.execute(db)

    await sql`
      CREATE TRIGGER posts_added AFTER INSERT ON posts WHEN new.hidden_at IS NULL BEGIN
        INSERT INTO posts_trigrams (rowid, text) VALUES (new.seq, ${markedText('new')});
        INSERT INTO posts_grams (rowid, grams) VALUES (new.seq, grams(new.search_text));
        UPDATE gallery SET posts = posts + 1;
      END`.execute(db)
    await sql`
      CREATE TRIGGER posts_removed AFTER DELETE ON posts WHEN old.hidden_at IS NULL BEGIN
        DELETE FROM posts_trigrams WHERE rowid = old.seq;
        DELETE FROM posts_grams WHERE rowid = old.seq;
        UPDATE gallery SET posts = posts - 1, changes = changes + 1;
      END`.execute(db)
    // Reindexes on update: deletes the old entry, then inserts the new one.
    await sql`
      CREATE TRIGGER posts_changing BEFORE UPDATE OF seq, search_text, hidden_at ON posts
      WHEN old.hidden_at IS NULL BEGIN
        DELETE FROM posts_trigrams WHERE rowid = old.seq;
        DELETE FROM posts_grams WHERE rowid = old.seq;
        UPDATE gallery SET posts = posts - 1, changes = changes + 1;
      END`.execute(db)
    await sql`
      CREATE TRIGGER posts_changed AFTER UPDATE OF seq, search_text, hidden_at ON posts
      WHEN new.hidden_at IS NULL BEGIN
        INSERT INTO posts_trigrams (rowid, text) VALUES (new.seq, ${markedText('new')});
        INSERT INTO posts_grams (rowid, grams) VALUES (new.seq, grams(new.search_text));
        UPDATE gallery SET posts = posts + 1, changes = changes + 1;
      END`.execute(db)
  },
}
