-- Masks, and images that were extended to be edited: neither listed nor counted, until they are shared.
ALTER TABLE images ADD COLUMN for_edit integer NOT NULL DEFAULT 0;

CREATE INDEX images_for_edit ON images (seq) WHERE for_edit = 1;

CREATE OR REPLACE FUNCTION count_own_images() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO image_totals AS totals
    SELECT owner_id, month, coalesce(engine, ''), coalesce(shape, ''), list, (shared_seq IS NOT NULL)::integer, count(*),
      new_version()
    FROM images_after WHERE list IS NOT NULL AND for_edit = 0 GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, month, engine, shape, list, shared)
    DO UPDATE SET images = totals.images + excluded.images, version = excluded.version;
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO image_totals AS totals
    SELECT owner_id, month, coalesce(engine, ''), coalesce(shape, ''), list, (shared_seq IS NOT NULL)::integer, -count(*),
      new_version()
    FROM images_before WHERE list IS NOT NULL AND for_edit = 0 GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, month, engine, shape, list, shared)
    DO UPDATE SET images = totals.images + excluded.images, version = excluded.version;
  ELSE
    INSERT INTO image_totals AS totals
    SELECT owner_id, month, engine, shape, list, shared, sum(change), new_version() FROM (
      SELECT owner_id, month, coalesce(engine, '') AS engine, coalesce(shape, '') AS shape, list,
        (shared_seq IS NOT NULL)::integer AS shared, -1 AS change
      FROM images_before WHERE list IS NOT NULL AND for_edit = 0
      UNION ALL
      SELECT owner_id, month, coalesce(engine, '') AS engine, coalesce(shape, '') AS shape, list,
        (shared_seq IS NOT NULL)::integer AS shared, 1 AS change
      FROM images_after WHERE list IS NOT NULL AND for_edit = 0
    ) AS changes
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, month, engine, shape, list, shared)
    DO UPDATE SET images = totals.images + excluded.images, version = excluded.version;
  END IF;
  DELETE FROM image_totals WHERE images = 0 AND owner_id IN (SELECT owner_id FROM images_before);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION share_images(ids text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE images SET shared_seq = shared.seq, for_edit = 0
  FROM (
    SELECT image_id, (SELECT max(seq) FROM posts WHERE posts.image_id = changed.image_id AND withdrawn_at IS NULL) AS seq
    FROM unnest(ids) AS changed (image_id)
  ) AS shared
  WHERE images.id = shared.image_id AND images.shared_seq IS DISTINCT FROM shared.seq
$$;
