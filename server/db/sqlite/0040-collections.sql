-- Collections of posts. Positions have gaps, so that moving a post changes one row. `listed` is that of the post, so that counts and
-- pages never read the posts that others do not see.
CREATE TABLE collections (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  search_text TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
  contributors TEXT NOT NULL CHECK (contributors IN ('owner', 'invited', 'members')),
  cover_post_id TEXT,
  invitation_hash TEXT UNIQUE,
  listed_posts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  hidden_at INTEGER,
  featured_until INTEGER
) STRICT;

CREATE INDEX collections_owner ON collections (owner_id, seq);

CREATE INDEX collections_listed ON collections (seq) WHERE hidden_at IS NULL AND visibility = 'public';

CREATE INDEX collections_hidden ON collections (hidden_at) WHERE hidden_at IS NOT NULL;

CREATE INDEX collections_featured ON collections (featured_until) WHERE featured_until IS NOT NULL;

CREATE TABLE collection_posts (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  author_id TEXT NOT NULL,
  listed INTEGER NOT NULL,
  added_by TEXT,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (collection_id, post_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX collection_posts_post ON collection_posts (post_id);

CREATE INDEX collection_posts_position ON collection_posts (collection_id, position);

CREATE INDEX collection_posts_listed ON collection_posts (collection_id, position) WHERE listed = 1;

CREATE INDEX collection_posts_unlisted ON collection_posts (collection_id, author_id, position) WHERE listed = 0;

CREATE INDEX collection_posts_added ON collection_posts (added_by) WHERE added_by IS NOT NULL;

CREATE TABLE collection_contributors (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (collection_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX collection_contributors_user ON collection_contributors (user_id);

CREATE TABLE collection_reports (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  comment TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX collection_reports_collection ON collection_reports (collection_id, seq);

CREATE TRIGGER collection_post_added AFTER INSERT ON collection_posts WHEN new.listed = 1
BEGIN UPDATE collections SET listed_posts = listed_posts + 1 WHERE id = new.collection_id; END;

CREATE TRIGGER collection_post_removed AFTER DELETE ON collection_posts WHEN old.listed = 1
BEGIN UPDATE collections SET listed_posts = listed_posts - 1 WHERE id = old.collection_id; END;

CREATE TRIGGER collection_post_changed AFTER UPDATE OF listed ON collection_posts WHEN old.listed <> new.listed
BEGIN UPDATE collections SET listed_posts = listed_posts + new.listed - old.listed WHERE id = new.collection_id; END;

CREATE TRIGGER posts_listed_in_collections AFTER UPDATE OF hidden_at, visibility ON posts
WHEN (old.hidden_at IS NULL AND old.visibility = 'public') <> (new.hidden_at IS NULL AND new.visibility = 'public')
BEGIN
  UPDATE collection_posts SET listed = (new.hidden_at IS NULL AND new.visibility = 'public') WHERE post_id = new.id;
END;
