-- The schema of version 0.2.0; files with numbers have what changed since. Statements are separated by empty lines.
-- Accounts, as better-auth expects them. Ours are user.invitationId, user.searchName and passkey.lastUsedAt.
CREATE TABLE user (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  emailVerified INTEGER NOT NULL,
  image TEXT,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL,
  invitationId TEXT,
  searchName TEXT NOT NULL DEFAULT ''
);

CREATE INDEX user_invitation ON user (invitationId) WHERE invitationId IS NOT NULL;

CREATE INDEX user_created ON user (createdAt, id);

CREATE TABLE session (
  id TEXT NOT NULL PRIMARY KEY,
  expiresAt DATE NOT NULL,
  token TEXT NOT NULL UNIQUE,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL,
  ipAddress TEXT,
  userAgent TEXT,
  userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE
);

CREATE INDEX session_userId_idx ON session (userId);

CREATE TABLE account (
  id TEXT NOT NULL PRIMARY KEY,
  accountId TEXT NOT NULL,
  providerId TEXT NOT NULL,
  userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  accessToken TEXT,
  refreshToken TEXT,
  idToken TEXT,
  accessTokenExpiresAt DATE,
  refreshTokenExpiresAt DATE,
  scope TEXT,
  password TEXT,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL
);

CREATE INDEX account_userId_idx ON account (userId);

CREATE UNIQUE INDEX account_of_provider ON account (providerId, accountId) WHERE providerId = 'oidc';

CREATE TABLE verification (
  id TEXT NOT NULL PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expiresAt DATE NOT NULL,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL
);

CREATE INDEX verification_identifier_idx ON verification (identifier);

CREATE TABLE passkey (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT,
  publicKey TEXT NOT NULL,
  userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  credentialID TEXT NOT NULL,
  counter INTEGER NOT NULL,
  deviceType TEXT NOT NULL,
  backedUp INTEGER NOT NULL,
  transports TEXT,
  createdAt DATE,
  aaguid TEXT,
  lastUsedAt DATE
);

CREATE INDEX passkey_userId_idx ON passkey (userId);

CREATE UNIQUE INDEX passkey_credentialID_idx ON passkey (credentialID);

CREATE TABLE provider_sessions (
  session_id TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  id_token TEXT NOT NULL,
  authenticated_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER invitation_used BEFORE INSERT ON user WHEN new.invitationId IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'The invitation is not valid any more.') WHERE NOT EXISTS (
    SELECT 1 FROM invitations WHERE id = new.invitationId AND uses < max_uses AND revoked_at IS NULL
  );
  UPDATE invitations SET uses = uses + 1 WHERE id = new.invitationId;
  INSERT INTO admin_log (action, administrator_id, administrator_name, user_id, details, created_at)
    SELECT 'accept_invitation', creator_id, creator_name, new.id, json_object('invitation', seq),
      CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM invitations WHERE id = new.invitationId;
END;

-- Users, whichever service signs them in. A user without a row has the defaults.
CREATE TABLE user_access (
  user_id TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'moderator', 'administrator')),
  role_by_provider INTEGER NOT NULL DEFAULT 0,
  daily_image_limit INTEGER CHECK (daily_image_limit >= 0),
  blocked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX user_access_role ON user_access (role) WHERE role <> 'member';

CREATE TABLE user_settings (
  user_id TEXT NOT NULL PRIMARY KEY,
  default_visibility TEXT NOT NULL CHECK (default_visibility IN ('public', 'unlisted', 'private')),
  language TEXT,
  mail_notices INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

CREATE TABLE known_users (
  user_id TEXT NOT NULL PRIMARY KEY,
  name TEXT,
  search_name TEXT NOT NULL,
  image_url TEXT,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX known_users_first ON known_users (first_seen_at, user_id);

CREATE INDEX known_users_last ON known_users (last_seen_at);

CREATE TABLE closed_accounts (
  user_id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  user_name TEXT NOT NULL,
  user_image TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  scopes TEXT
) STRICT;

CREATE INDEX api_keys_user ON api_keys (user_id, seq);

CREATE TABLE invitations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  note TEXT NOT NULL,
  max_uses INTEGER NOT NULL,
  uses INTEGER NOT NULL DEFAULT 0 CHECK (uses <= max_uses),
  creator_id TEXT,
  creator_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

-- Images. The row of a generated image is its job.
CREATE TABLE images (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('generated', 'uploaded')),
  prompt TEXT NOT NULL,
  engine TEXT,
  model TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  failure TEXT,
  request_key TEXT,
  counted_on TEXT,
  folder TEXT UNIQUE,
  sha256 TEXT,
  upload_sha256 TEXT,
  width INTEGER,
  height INTEGER,
  placeholder TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  hidden_at INTEGER,
  withdrawn_at INTEGER,
  worker TEXT,
  leased_until INTEGER,
  cancel_requested_at INTEGER,
  engine_kind TEXT,
  recipe TEXT,
  remix_of TEXT,
  turn INTEGER NOT NULL DEFAULT 0,
  failure_detail TEXT,
  bytes INTEGER,
  trashed_at INTEGER,
  restored_at INTEGER,
  CHECK (state <> 'succeeded' OR (folder IS NOT NULL AND sha256 IS NOT NULL AND width > 0 AND height > 0)),
  CHECK ((source = 'generated') = (engine IS NOT NULL))
) STRICT;

CREATE INDEX images_owner ON images (owner_id, seq);

CREATE UNIQUE INDEX images_request_key ON images (owner_id, request_key) WHERE request_key IS NOT NULL;

CREATE INDEX images_unfinished ON images (owner_id) WHERE state IN ('queued', 'running');

CREATE INDEX images_durations ON images (engine, model, seq) WHERE state = 'succeeded' AND started_at IS NOT NULL;

CREATE INDEX images_bytes ON images (owner_id, sha256) WHERE sha256 IS NOT NULL;

CREATE INDEX images_upload ON images (owner_id, upload_sha256) WHERE upload_sha256 IS NOT NULL;

CREATE INDEX images_leased ON images (worker) WHERE state IN ('queued', 'running');

CREATE INDEX images_queued ON images (engine, turn, seq) WHERE state = 'queued' AND worker IS NULL;

CREATE INDEX images_turns ON images (engine, turn, seq) WHERE finished_at IS NOT NULL;

CREATE INDEX images_prompt ON images (owner_id, substr(prompt, 1, 64)) WHERE source = 'generated';

CREATE INDEX images_failed ON images (owner_id, seq) WHERE state = 'failed';

CREATE INDEX images_trash ON images (owner_id, trashed_at, seq) WHERE trashed_at IS NOT NULL;

CREATE INDEX images_trashed ON images (trashed_at) WHERE trashed_at IS NOT NULL;

CREATE INDEX images_owner_bytes ON images (owner_id, bytes) WHERE bytes IS NOT NULL AND withdrawn_at IS NULL;

CREATE INDEX images_unmeasured ON images (seq) WHERE folder IS NOT NULL AND bytes IS NULL;

CREATE TABLE generation_outcomes (
  hour INTEGER NOT NULL,
  engine TEXT NOT NULL,
  outcome TEXT NOT NULL,
  images INTEGER NOT NULL CHECK (images >= 0),
  latest_at INTEGER NOT NULL,
  PRIMARY KEY (hour, engine, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_usage (
  user_id TEXT NOT NULL,
  day TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('image', 'upload', 'post', 'blocked')),
  used INTEGER NOT NULL CHECK (used >= 0),
  PRIMARY KEY (user_id, day, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE site_usage (
  day TEXT NOT NULL PRIMARY KEY,
  images INTEGER NOT NULL CHECK (images >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE bucket_folders (
  folder TEXT NOT NULL PRIMARY KEY,
  bytes INTEGER NOT NULL,
  unlinked_at INTEGER,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX bucket_folders_unlinked ON bucket_folders (unlinked_at) WHERE unlinked_at IS NOT NULL;

CREATE TABLE bucket_usage (
  singleton INTEGER NOT NULL PRIMARY KEY CHECK (singleton = 1),
  bytes INTEGER NOT NULL,
  swept_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER images_finished AFTER UPDATE OF state ON images
  WHEN (new.source = 'generated' AND new.state IN ('succeeded', 'failed', 'canceled') AND new.finished_at IS NOT NULL)
    AND new.state <> old.state BEGIN
  INSERT INTO generation_outcomes (hour, engine, outcome, images, latest_at)
    VALUES (
      new.finished_at / 3600000,
      new.engine,
      CASE new.state WHEN 'failed' THEN coalesce(new.failure, 'internal') ELSE new.state END,
      1,
      new.finished_at
    )
    ON CONFLICT (hour, engine, outcome)
    DO UPDATE SET images = images + 1, latest_at = max(latest_at, excluded.latest_at);
  UPDATE generation_outcomes SET images = images - 1
    WHERE (old.source = 'generated' AND old.state IN ('succeeded', 'failed', 'canceled') AND old.finished_at IS NOT NULL)
      AND hour = old.finished_at / 3600000 AND engine = old.engine
      AND outcome = CASE old.state WHEN 'failed' THEN coalesce(old.failure, 'internal') ELSE old.state END
      AND images > 0;
END;

-- Posts. Their triggers maintain the search index, statistics and totals of listed posts.
CREATE TABLE posts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  author_id TEXT NOT NULL,
  image_id TEXT NOT NULL REFERENCES images (id),
  name TEXT NOT NULL,
  prompt TEXT NOT NULL,
  search_text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  hidden_at INTEGER,
  withdrawn_at INTEGER,
  visibility TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'unlisted', 'private')),
  hide_prompt INTEGER NOT NULL DEFAULT 0,
  sensitive INTEGER NOT NULL DEFAULT 0,
  shared_prompt TEXT,
  prompt_edited_at INTEGER,
  parent_id TEXT,
  trashed_visibility TEXT CHECK (trashed_visibility IN ('public', 'unlisted', 'private'))
) STRICT;

CREATE INDEX posts_image ON posts (image_id);

CREATE INDEX posts_hidden ON posts (hidden_at) WHERE hidden_at IS NOT NULL;

CREATE INDEX posts_author ON posts (author_id, seq);

CREATE INDEX posts_listed ON posts (seq) WHERE hidden_at IS NULL AND visibility = 'public';

CREATE INDEX posts_author_listed ON posts (author_id, seq) WHERE hidden_at IS NULL AND visibility = 'public';

CREATE INDEX posts_parent ON posts (parent_id, seq)
  WHERE parent_id IS NOT NULL AND hidden_at IS NULL AND visibility = 'public';

CREATE VIRTUAL TABLE posts_trigrams USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

CREATE VIRTUAL TABLE posts_grams USING fts5 (
  grams, content = '', contentless_delete = 1, detail = 'none', tokenize = 'ascii'
);

CREATE TABLE post_likes (
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (post_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX post_likes_user ON post_likes (user_id, created_at);

CREATE TABLE post_stats (
  seq INTEGER PRIMARY KEY,
  author_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  likes INTEGER NOT NULL,
  listed INTEGER NOT NULL
) STRICT;

CREATE INDEX post_stats_top ON post_stats (likes DESC, seq DESC) WHERE listed = 1;

CREATE INDEX post_stats_day ON post_stats (day, likes DESC, seq DESC) WHERE listed = 1;

CREATE INDEX post_stats_author ON post_stats (author_id, likes DESC, seq DESC, day) WHERE listed = 1;

CREATE TABLE author_totals (
  author_id TEXT NOT NULL PRIMARY KEY,
  posts INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE day_totals (
  day INTEGER PRIMARY KEY,
  posts INTEGER NOT NULL
) STRICT;

CREATE TABLE gallery (
  posts INTEGER NOT NULL,
  changes INTEGER NOT NULL
) STRICT;

-- The indexed text of a post is the mark of its block of 8,192 posts, three times the same private-use character, and its
-- search text: `blockMark` in n-grams.ts is the same. `grams` is an SQL function of our connections.
CREATE TRIGGER posts_added AFTER INSERT ON posts WHEN (new.hidden_at IS NULL AND new.visibility = 'public') BEGIN
  INSERT INTO posts_trigrams (rowid, text)
    VALUES (new.seq, replace('xxx', 'x', char(983040 + (new.seq >> 13))) || new.search_text);
  INSERT INTO posts_grams (rowid, grams) VALUES (new.seq, grams(new.search_text));
  INSERT INTO author_totals (author_id, posts) VALUES (new.author_id, 1)
    ON CONFLICT (author_id) DO UPDATE SET posts = posts + 1;
  INSERT INTO day_totals (day, posts) VALUES (new.created_at / 86400000, 1)
    ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
  UPDATE gallery SET posts = posts + 1;
END;

CREATE TRIGGER posts_removed AFTER DELETE ON posts WHEN (old.hidden_at IS NULL AND old.visibility = 'public') BEGIN
  DELETE FROM posts_trigrams WHERE rowid = old.seq;
  DELETE FROM posts_grams WHERE rowid = old.seq;
  UPDATE gallery SET posts = posts - 1, changes = changes + 1;
  UPDATE author_totals SET posts = posts - 1 WHERE author_id = old.author_id;
  DELETE FROM author_totals WHERE author_id = old.author_id AND posts = 0;
  UPDATE day_totals SET posts = posts - 1 WHERE day = old.created_at / 86400000;
  DELETE FROM day_totals WHERE day = old.created_at / 86400000 AND posts = 0;
END;

-- Reindexes on update: deletes the old entry, then inserts the new one.
CREATE TRIGGER posts_changing BEFORE UPDATE OF seq, search_text, hidden_at, visibility ON posts
  WHEN (old.hidden_at IS NULL AND old.visibility = 'public') BEGIN
  DELETE FROM posts_trigrams WHERE rowid = old.seq;
  DELETE FROM posts_grams WHERE rowid = old.seq;
  UPDATE gallery SET posts = posts - 1, changes = changes + 1;
  UPDATE author_totals SET posts = posts - 1 WHERE author_id = old.author_id;
  DELETE FROM author_totals WHERE author_id = old.author_id AND posts = 0;
  UPDATE day_totals SET posts = posts - 1 WHERE day = old.created_at / 86400000;
  DELETE FROM day_totals WHERE day = old.created_at / 86400000 AND posts = 0;
END;

CREATE TRIGGER posts_changed AFTER UPDATE OF seq, search_text, hidden_at, visibility ON posts
  WHEN (new.hidden_at IS NULL AND new.visibility = 'public') BEGIN
  INSERT INTO posts_trigrams (rowid, text)
    VALUES (new.seq, replace('xxx', 'x', char(983040 + (new.seq >> 13))) || new.search_text);
  INSERT INTO posts_grams (rowid, grams) VALUES (new.seq, grams(new.search_text));
  INSERT INTO author_totals (author_id, posts) VALUES (new.author_id, 1)
    ON CONFLICT (author_id) DO UPDATE SET posts = posts + 1;
  INSERT INTO day_totals (day, posts) VALUES (new.created_at / 86400000, 1)
    ON CONFLICT (day) DO UPDATE SET posts = posts + 1;
  UPDATE gallery SET posts = posts + 1, changes = changes + 1;
END;

CREATE TRIGGER post_stats_added AFTER INSERT ON posts BEGIN
  INSERT INTO post_stats (seq, author_id, day, likes, listed)
    VALUES (
      new.seq, new.author_id, new.created_at / 86400000, 0, (new.hidden_at IS NULL AND new.visibility = 'public')
    );
END;

CREATE TRIGGER post_stats_removed AFTER DELETE ON posts BEGIN
  DELETE FROM post_stats WHERE seq = old.seq;
END;

CREATE TRIGGER post_stats_changed AFTER UPDATE OF seq, hidden_at, visibility ON posts BEGIN
  UPDATE post_stats SET seq = new.seq, listed = (new.hidden_at IS NULL AND new.visibility = 'public')
    WHERE seq = old.seq;
END;

CREATE TRIGGER post_liked AFTER INSERT ON post_likes BEGIN
  UPDATE post_stats SET likes = likes + 1 WHERE seq = (SELECT seq FROM posts WHERE id = new.post_id);
END;

CREATE TRIGGER post_unliked AFTER DELETE ON post_likes BEGIN
  UPDATE post_stats SET likes = likes - 1 WHERE seq = (SELECT seq FROM posts WHERE id = old.post_id);
END;

-- Moderation and administration.
CREATE TABLE reports (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  comment TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX reports_post ON reports (post_id, seq);

CREATE TABLE appeals (
  decision INTEGER PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  author_id TEXT NOT NULL,
  comment TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;

CREATE INDEX appeals_post ON appeals (post_id);

CREATE INDEX appeals_author ON appeals (author_id);

CREATE TABLE moderation_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  action TEXT NOT NULL
    CHECK ( action IN ('hide', 'unhide', 'dismiss', 'delete', 'mark_sensitive', 'unmark_sensitive') ),
  administrator_id TEXT,
  administrator_name TEXT NOT NULL,
  post_id TEXT NOT NULL,
  author_id TEXT,
  reasons TEXT NOT NULL DEFAULT '[]',
  image_sha256 TEXT,
  created_at INTEGER NOT NULL,
  note TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX moderation_log_author ON moderation_log (author_id, image_sha256) WHERE author_id IS NOT NULL;

CREATE INDEX moderation_log_time ON moderation_log (created_at, seq);

CREATE TABLE admin_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  action TEXT NOT NULL,
  administrator_id TEXT,
  administrator_name TEXT NOT NULL,
  user_id TEXT,
  details TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX admin_log_user ON admin_log (user_id) WHERE user_id IS NOT NULL;

CREATE INDEX admin_log_time ON admin_log (created_at, seq);

-- The site, and its queues.
CREATE TABLE site (
  singleton INTEGER NOT NULL PRIMARY KEY CHECK (singleton = 1),
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  images_swept_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE site_options (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mails (
  id TEXT NOT NULL PRIMARY KEY,
  bundle TEXT UNIQUE,
  recipient TEXT,
  user_id TEXT,
  language TEXT,
  message TEXT NOT NULL,
  pending INTEGER NOT NULL DEFAULT 1,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX mails_due ON mails (due_at);

CREATE INDEX mails_user ON mails (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL DEFAULT 1,
  disabled_reason TEXT,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  failing_since INTEGER,
  attempted_at INTEGER NOT NULL DEFAULT 0,
  busy_until INTEGER NOT NULL DEFAULT 0,
  former_secrets TEXT NOT NULL DEFAULT '[]',
  dropped_at INTEGER
) STRICT;

CREATE INDEX webhooks_user ON webhooks (user_id, seq);

CREATE TABLE webhook_deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  user_id TEXT,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'succeeded', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempted_at INTEGER,
  status INTEGER,
  failure TEXT,
  duration_ms INTEGER
) STRICT;

CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, seq);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'waiting';

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id) WHERE state = 'waiting';

CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id) WHERE user_id IS NOT NULL;

CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

INSERT INTO gallery (posts, changes) VALUES (0, 0);

INSERT INTO bucket_usage (singleton, bytes, swept_at) VALUES (1, 0, 0);

INSERT INTO site (singleton, id, created_at)
VALUES (1, lower(hex(randomblob(16))), CAST(unixepoch('subsec') * 1000 AS INTEGER));
