-- Lists, numbers and search of a user's own images. `list` is null for images that are not counted. `shared_seq` is the number of
-- the newest post that shows an image.
ALTER TABLE images ADD COLUMN shared_seq INTEGER;

ALTER TABLE images ADD COLUMN shape TEXT AS (
  CASE WHEN width = height THEN 'square' WHEN width > height THEN 'landscape' WHEN width < height THEN 'portrait' END
);

ALTER TABLE images ADD COLUMN month INTEGER AS (CAST(strftime('%Y%m', created_at / 1000, 'unixepoch') AS INTEGER));

ALTER TABLE images ADD COLUMN list TEXT AS (
  CASE
    WHEN withdrawn_at IS NOT NULL OR state = 'canceled' THEN NULL
    WHEN trashed_at IS NOT NULL THEN 'trash'
    WHEN state = 'failed' THEN 'failed'
    ELSE 'kept'
  END
);

UPDATE images SET shared_seq = (SELECT max(seq) FROM posts WHERE image_id = images.id AND withdrawn_at IS NULL);

CREATE INDEX images_kept ON images (owner_id, created_at, seq) WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_engine ON images (owner_id, engine, created_at, seq) WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_shape ON images (owner_id, shape, created_at, seq) WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_engine_shape ON images (owner_id, engine, shape, created_at, seq)
  WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_shared ON images (owner_id, shared_seq, seq) WHERE shared_seq IS NOT NULL;

DROP INDEX images_failed;

CREATE INDEX images_failed ON images (owner_id, created_at, seq) WHERE state = 'failed';

CREATE TABLE image_totals (
  owner_id TEXT NOT NULL,
  month INTEGER NOT NULL,
  engine TEXT NOT NULL,
  shape TEXT NOT NULL,
  list TEXT NOT NULL,
  shared INTEGER NOT NULL,
  images INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_id, month, engine, shape, list, shared)
) STRICT, WITHOUT ROWID;

INSERT INTO image_totals
SELECT owner_id, month, coalesce(engine, ''), coalesce(shape, ''), list, shared_seq IS NOT NULL, count(*), random() >> 24
FROM images WHERE list IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6;

CREATE TRIGGER image_totals_added AFTER INSERT ON images WHEN new.list IS NOT NULL BEGIN
  INSERT INTO image_totals
    VALUES (
      new.owner_id, new.month, coalesce(new.engine, ''), coalesce(new.shape, ''), new.list, new.shared_seq IS NOT NULL,
      1, random() >> 24
    )
    ON CONFLICT DO UPDATE SET images = images + 1, version = excluded.version;
END;

CREATE TRIGGER image_totals_removed AFTER DELETE ON images WHEN old.list IS NOT NULL BEGIN
  UPDATE image_totals SET images = images - 1, version = random() >> 24
    WHERE owner_id = old.owner_id AND month = old.month AND engine = coalesce(old.engine, '')
      AND shape = coalesce(old.shape, '') AND list = old.list AND shared = (old.shared_seq IS NOT NULL);
  DELETE FROM image_totals WHERE owner_id = old.owner_id AND images = 0;
END;

CREATE TRIGGER image_totals_changed
AFTER UPDATE OF owner_id, created_at, engine, width, height, state, trashed_at, withdrawn_at, shared_seq ON images
WHEN (old.owner_id, old.month, old.engine, old.shape, old.list, old.shared_seq IS NULL)
  IS NOT (new.owner_id, new.month, new.engine, new.shape, new.list, new.shared_seq IS NULL)
BEGIN
  UPDATE image_totals SET images = images - 1, version = random() >> 24
    WHERE owner_id = old.owner_id AND month = old.month AND engine = coalesce(old.engine, '')
      AND shape = coalesce(old.shape, '') AND list = old.list AND shared = (old.shared_seq IS NOT NULL);
  DELETE FROM image_totals WHERE owner_id = old.owner_id AND images = 0;
  INSERT INTO image_totals
    SELECT new.owner_id, new.month, coalesce(new.engine, ''), coalesce(new.shape, ''), new.list,
      new.shared_seq IS NOT NULL, 1, random() >> 24
    WHERE new.list IS NOT NULL
    ON CONFLICT DO UPDATE SET images = images + 1, version = excluded.version;
END;

CREATE TRIGGER image_shared AFTER INSERT ON posts WHEN new.withdrawn_at IS NULL BEGIN
  UPDATE images SET shared_seq = max(coalesce(shared_seq, 0), new.seq) WHERE id = new.image_id;
END;

CREATE TRIGGER image_unshared AFTER DELETE ON posts BEGIN
  UPDATE images SET shared_seq = (SELECT max(seq) FROM posts WHERE image_id = old.image_id AND withdrawn_at IS NULL)
    WHERE id = old.image_id AND shared_seq = old.seq;
END;

CREATE TRIGGER image_sharing_changed AFTER UPDATE OF withdrawn_at, seq ON posts BEGIN
  UPDATE images SET shared_seq = (SELECT max(seq) FROM posts WHERE image_id = new.image_id AND withdrawn_at IS NULL)
    WHERE id = new.image_id;
END;

-- The indexed text of a prompt begins with a mark of its owner, see `ownerMark` in n-grams.ts: a private-use character and the
-- last two characters of the owner's id.
CREATE VIRTUAL TABLE images_trigrams USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

CREATE VIRTUAL TABLE images_grams USING fts5 (
  grams, content = '', contentless_delete = 1, detail = 'none', tokenize = 'ascii'
);

INSERT INTO images_trigrams (rowid, text)
SELECT seq, char(983040) || substr('  ' || owner_id, -2) || search_text FROM images WHERE search_text <> '' ORDER BY seq;

INSERT INTO images_grams (rowid, grams)
SELECT seq, 'o' || hex(substr('  ' || owner_id, -2)) || ' ' || grams(search_text)
FROM images WHERE search_text <> '' ORDER BY seq;

-- A program of another kind does not fold the prompt.
CREATE TRIGGER image_prompt_added AFTER INSERT ON images WHEN new.prompt <> '' BEGIN
  UPDATE images SET search_text = lower(new.prompt) WHERE seq = new.seq AND new.search_text IS NULL;
  INSERT INTO images_trigrams (rowid, text)
    VALUES (new.seq, char(983040) || substr('  ' || new.owner_id, -2) || coalesce(new.search_text, lower(new.prompt)));
  INSERT INTO images_grams (rowid, grams)
    VALUES (
      new.seq,
      'o' || hex(substr('  ' || new.owner_id, -2)) || ' ' || grams(coalesce(new.search_text, lower(new.prompt)))
    );
END;

CREATE TRIGGER image_prompt_removed AFTER DELETE ON images WHEN old.prompt <> '' BEGIN
  DELETE FROM images_trigrams WHERE rowid = old.seq;
  DELETE FROM images_grams WHERE rowid = old.seq;
END;
