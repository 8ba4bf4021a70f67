-- Shape and engine of the images of posts, which lists are narrowed by: `square rangoli`; `portrait ` for an upload. Their
-- numbers of listed posts, and of those with likes.
ALTER TABLE post_stats ADD COLUMN facet text COLLATE "C" NOT NULL DEFAULT '';

CREATE VIEW post_facets (seq, facet) AS
SELECT posts.seq,
  CASE WHEN width = height THEN 'square' WHEN width > height THEN 'landscape' ELSE 'portrait' END
    || ' ' || coalesce(engine, '')
FROM posts LEFT JOIN images ON images.id = posts.image_id;

UPDATE post_stats SET facet = post_facets.facet FROM post_facets WHERE post_facets.seq = post_stats.seq;

CREATE INDEX post_stats_facet ON post_stats (facet, seq DESC) WHERE listed = 1;

CREATE INDEX post_stats_facet_top ON post_stats (facet, likes DESC, seq DESC) WHERE listed = 1;

CREATE TABLE facet_totals (
  facet text COLLATE "C" PRIMARY KEY,
  posts bigint NOT NULL,
  liked bigint NOT NULL
);

INSERT INTO facet_totals SELECT facet, count(*), count(nullif(likes, 0)) FROM post_stats WHERE listed = 1 GROUP BY facet;

CREATE FUNCTION find_post_facet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT facet INTO new.facet FROM post_facets WHERE post_facets.seq = new.seq;
  RETURN new;
END $$;

CREATE TRIGGER post_stats_facet BEFORE INSERT ON post_stats
  FOR EACH ROW WHEN (new.facet = '') EXECUTE FUNCTION find_post_facet();

-- Changes of listed posts and likes lock the row of the gallery first: two transactions never wait for each other here.
CREATE FUNCTION count_facets() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes record;
BEGIN
  FOR changes IN EXECUTE
    'SELECT facet, sum(sign) AS posts, coalesce(sum(sign) FILTER (WHERE likes > 0), 0) AS liked FROM ('
    || CASE TG_OP
      WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM stats_after'
      WHEN 'DELETE' THEN 'SELECT *, -1 AS sign FROM stats_before'
      ELSE 'SELECT *, 1 AS sign FROM stats_after UNION ALL SELECT *, -1 AS sign FROM stats_before'
    END || ') AS stats WHERE listed = 1 GROUP BY facet'
  LOOP
    CONTINUE WHEN changes.posts = 0 AND changes.liked = 0;
    INSERT INTO facet_totals AS totals VALUES (changes.facet, changes.posts, changes.liked)
    ON CONFLICT (facet) DO UPDATE SET posts = totals.posts + excluded.posts, liked = totals.liked + excluded.liked;
    DELETE FROM facet_totals WHERE facet = changes.facet AND posts = 0;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER facets_added AFTER INSERT ON post_stats REFERENCING NEW TABLE AS stats_after
  FOR EACH STATEMENT EXECUTE FUNCTION count_facets();

CREATE TRIGGER facets_removed AFTER DELETE ON post_stats REFERENCING OLD TABLE AS stats_before
  FOR EACH STATEMENT EXECUTE FUNCTION count_facets();

CREATE TRIGGER facets_changed AFTER UPDATE ON post_stats REFERENCING OLD TABLE AS stats_before NEW TABLE AS stats_after
  FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
