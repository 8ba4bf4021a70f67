-- A row of the user '' is for every member. Rows with the same `bundle` of a user are one.
CREATE TABLE notifications (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  bundle TEXT,
  post_id TEXT REFERENCES posts (id) ON DELETE CASCADE,
  collection_id TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, bundle)
) STRICT;

CREATE INDEX notifications_user ON notifications (user_id, created_at, seq);

CREATE INDEX notifications_post ON notifications (post_id) WHERE post_id IS NOT NULL;

CREATE INDEX notifications_created ON notifications (created_at);

CREATE TABLE notification_events (
  notification INTEGER NOT NULL REFERENCES notifications (seq) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (notification, actor_id, subject_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX notification_events_actor ON notification_events (actor_id) WHERE actor_id <> '';

CREATE TABLE notification_settings (
  user_id TEXT NOT NULL PRIMARY KEY,
  settings TEXT NOT NULL DEFAULT '{}',
  read_until INTEGER NOT NULL DEFAULT 0,
  read_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE push_subscriptions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  endpoint TEXT NOT NULL UNIQUE,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  pending INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  pushed_until INTEGER NOT NULL
) STRICT;

CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);

CREATE INDEX push_subscriptions_due ON push_subscriptions (due_at) WHERE pending > 0;
