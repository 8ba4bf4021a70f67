-- Masks, and images that were extended to be edited: neither listed nor counted, until they are shared.
ALTER TABLE images ADD COLUMN for_edit INTEGER NOT NULL DEFAULT 0;

CREATE INDEX images_for_edit ON images (seq) WHERE for_edit = 1;

DROP TRIGGER image_totals_added;

DROP TRIGGER image_totals_removed;

DROP TRIGGER image_totals_changed;

DROP TRIGGER image_shared;

CREATE TRIGGER image_totals_added AFTER INSERT ON images WHEN new.list IS NOT NULL AND new.for_edit = 0 BEGIN
  INSERT INTO image_totals
    VALUES (
      new.owner_id, new.month, coalesce(new.engine, ''), coalesce(new.shape, ''), new.list, new.shared_seq IS NOT NULL,
      1, random() >> 24
    )
    ON CONFLICT DO UPDATE SET images = images + 1, version = excluded.version;
END;

CREATE TRIGGER image_totals_removed AFTER DELETE ON images WHEN old.list IS NOT NULL AND old.for_edit = 0 BEGIN
  UPDATE image_totals SET images = images - 1, version = random() >> 24
    WHERE owner_id = old.owner_id AND month = old.month AND engine = coalesce(old.engine, '')
      AND shape = coalesce(old.shape, '') AND list = old.list AND shared = (old.shared_seq IS NOT NULL);
  DELETE FROM image_totals WHERE owner_id = old.owner_id AND images = 0;
END;

CREATE TRIGGER image_totals_changed
AFTER UPDATE OF owner_id, created_at, engine, width, height, state, trashed_at, withdrawn_at, shared_seq, for_edit ON images
WHEN (old.owner_id, old.month, old.engine, old.shape, old.list, old.shared_seq IS NULL, old.for_edit)
  IS NOT (new.owner_id, new.month, new.engine, new.shape, new.list, new.shared_seq IS NULL, new.for_edit)
BEGIN
  UPDATE image_totals SET images = images - 1, version = random() >> 24
    WHERE old.for_edit = 0 AND owner_id = old.owner_id AND month = old.month AND engine = coalesce(old.engine, '')
      AND shape = coalesce(old.shape, '') AND list = old.list AND shared = (old.shared_seq IS NOT NULL);
  DELETE FROM image_totals WHERE owner_id = old.owner_id AND images = 0;
  INSERT INTO image_totals
    SELECT new.owner_id, new.month, coalesce(new.engine, ''), coalesce(new.shape, ''), new.list,
      new.shared_seq IS NOT NULL, 1, random() >> 24
    WHERE new.list IS NOT NULL AND new.for_edit = 0
    ON CONFLICT DO UPDATE SET images = images + 1, version = excluded.version;
END;

CREATE TRIGGER image_shared AFTER INSERT ON posts WHEN new.withdrawn_at IS NULL BEGIN
  UPDATE images SET shared_seq = max(coalesce(shared_seq, 0), new.seq), for_edit = 0 WHERE id = new.image_id;
END;
