-- Lists, numbers and search of a user's own images. `list` is null for images that are not counted. `shared_seq` is the number of
-- the newest post that shows an image.
ALTER TABLE images
  ADD COLUMN shared_seq bigint,
  ADD COLUMN shape text COLLATE "C" GENERATED ALWAYS AS (
    CASE WHEN width = height THEN 'square' WHEN width > height THEN 'landscape' WHEN width < height THEN 'portrait' END
  ) STORED,
  ADD COLUMN month integer GENERATED ALWAYS AS (
    extract(year FROM to_timestamp(created_at / 1000) AT TIME ZONE 'UTC') * 100
      + extract(month FROM to_timestamp(created_at / 1000) AT TIME ZONE 'UTC')
  ) STORED,
  ADD COLUMN list text COLLATE "C" GENERATED ALWAYS AS (
    CASE
      WHEN withdrawn_at IS NOT NULL OR state = 'canceled' THEN NULL
      WHEN trashed_at IS NOT NULL THEN 'trash'
      WHEN state = 'failed' THEN 'failed'
      ELSE 'kept'
    END
  ) STORED;

UPDATE images SET shared_seq = shared.seq
FROM (SELECT image_id, max(seq) AS seq FROM posts WHERE withdrawn_at IS NULL GROUP BY image_id) AS shared
WHERE shared.image_id = images.id;

CREATE INDEX images_kept ON images (owner_id, created_at, seq) WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_engine ON images (owner_id, engine, created_at, seq) WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_shape ON images (owner_id, shape, created_at, seq) WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_engine_shape ON images (owner_id, engine, shape, created_at, seq)
  WHERE trashed_at IS NULL AND withdrawn_at IS NULL;

CREATE INDEX images_shared ON images (owner_id, shared_seq, seq) WHERE shared_seq IS NOT NULL;

DROP INDEX images_failed;

CREATE INDEX images_failed ON images (owner_id, created_at, seq) WHERE state = 'failed';

CREATE TABLE image_totals (
  owner_id text COLLATE "C" NOT NULL,
  month integer NOT NULL,
  engine text COLLATE "C" NOT NULL,
  shape text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  shared integer NOT NULL,
  images bigint NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_id, month, engine, shape, list, shared)
) WITH (fillfactor = 50);

CREATE FUNCTION new_version() RETURNS bigint VOLATILE LANGUAGE sql AS 'SELECT (random() * 1e12)::bigint';

INSERT INTO image_totals
SELECT owner_id, month, coalesce(engine, ''), coalesce(shape, ''), list, (shared_seq IS NOT NULL)::integer, count(*),
  new_version()
FROM images WHERE list IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6;

-- Once per statement, see the triggers that maintain `gallery`.
CREATE FUNCTION count_own_images() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO image_totals AS totals
    SELECT owner_id, month, coalesce(engine, ''), coalesce(shape, ''), list, (shared_seq IS NOT NULL)::integer, count(*),
      new_version()
    FROM images_after WHERE list IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, month, engine, shape, list, shared)
    DO UPDATE SET images = totals.images + excluded.images, version = excluded.version;
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO image_totals AS totals
    SELECT owner_id, month, coalesce(engine, ''), coalesce(shape, ''), list, (shared_seq IS NOT NULL)::integer, -count(*),
      new_version()
    FROM images_before WHERE list IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, month, engine, shape, list, shared)
    DO UPDATE SET images = totals.images + excluded.images, version = excluded.version;
  ELSE
    INSERT INTO image_totals AS totals
    SELECT owner_id, month, engine, shape, list, shared, sum(change), new_version() FROM (
      SELECT owner_id, month, coalesce(engine, '') AS engine, coalesce(shape, '') AS shape, list,
        (shared_seq IS NOT NULL)::integer AS shared, -1 AS change
      FROM images_before WHERE list IS NOT NULL
      UNION ALL
      SELECT owner_id, month, coalesce(engine, '') AS engine, coalesce(shape, '') AS shape, list,
        (shared_seq IS NOT NULL)::integer AS shared, 1 AS change
      FROM images_after WHERE list IS NOT NULL
    ) AS changes
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (owner_id, month, engine, shape, list, shared)
    DO UPDATE SET images = totals.images + excluded.images, version = excluded.version;
  END IF;
  DELETE FROM image_totals WHERE images = 0 AND owner_id IN (SELECT owner_id FROM images_before);
  RETURN NULL;
END $$;

CREATE TRIGGER image_totals_added AFTER INSERT ON images REFERENCING NEW TABLE AS images_after
  FOR EACH STATEMENT EXECUTE FUNCTION count_own_images();

CREATE TRIGGER image_totals_removed AFTER DELETE ON images REFERENCING OLD TABLE AS images_before
  FOR EACH STATEMENT EXECUTE FUNCTION count_own_images();

CREATE TRIGGER image_totals_changed AFTER UPDATE ON images
  REFERENCING OLD TABLE AS images_before NEW TABLE AS images_after
  FOR EACH STATEMENT EXECUTE FUNCTION count_own_images();

CREATE FUNCTION share_images(ids text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE images SET shared_seq = shared.seq
  FROM (
    SELECT image_id, (SELECT max(seq) FROM posts WHERE posts.image_id = changed.image_id AND withdrawn_at IS NULL) AS seq
    FROM unnest(ids) AS changed (image_id)
  ) AS shared
  WHERE images.id = shared.image_id AND images.shared_seq IS DISTINCT FROM shared.seq
$$;

CREATE FUNCTION share_images_after() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM share_images((SELECT array_agg(DISTINCT image_id ORDER BY image_id) FROM posts_after));
  RETURN NULL;
END $$;

CREATE FUNCTION share_images_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM share_images((SELECT array_agg(DISTINCT image_id ORDER BY image_id) FROM posts_before));
  RETURN NULL;
END $$;

CREATE TRIGGER images_shared AFTER INSERT ON posts REFERENCING NEW TABLE AS posts_after
  FOR EACH STATEMENT EXECUTE FUNCTION share_images_after();

CREATE TRIGGER images_unshared AFTER DELETE ON posts REFERENCING OLD TABLE AS posts_before
  FOR EACH STATEMENT EXECUTE FUNCTION share_images_before();

CREATE TRIGGER images_sharing_changed AFTER UPDATE ON posts REFERENCING NEW TABLE AS posts_after
  FOR EACH STATEMENT EXECUTE FUNCTION share_images_after();

-- A program of another kind does not fold the prompt.
CREATE FUNCTION fill_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.search_text := lower(new.prompt);
  RETURN new;
END $$;

CREATE TRIGGER image_prompt_added BEFORE INSERT ON images
  FOR EACH ROW WHEN (new.search_text IS NULL) EXECUTE FUNCTION fill_search_text();

-- The n-grams of a prompt, and a negative number for its owner.
CREATE FUNCTION own_n_grams(owner_id text, content text) RETURNS bigint[]
  IMMUTABLE STRICT PARALLEL SAFE COST 10000 LANGUAGE sql
  RETURN n_grams(content) || (-1 - abs(hashtextextended(owner_id, 0) >> 1));

CREATE INDEX images_n_grams ON images USING gin (own_n_grams(owner_id, search_text)) WITH (fastupdate = off)
  WHERE search_text <> '';
