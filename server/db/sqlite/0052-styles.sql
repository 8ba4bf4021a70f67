-- Styles of users, and of the site. Those that ship have a row only if an administrator has changed or removed them.
CREATE TABLE styles (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT,
  name TEXT NOT NULL,
  template TEXT NOT NULL,
  negative_prompt TEXT NOT NULL,
  engine TEXT,
  size TEXT,
  loras TEXT NOT NULL,
  for_models INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX styles_owner ON styles (owner_id, seq);
