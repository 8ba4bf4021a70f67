-- Shape and engine of the images of posts, which lists are narrowed by: `square rangoli`; `portrait ` for an upload. Their
-- numbers of listed posts, and of those with likes.
ALTER TABLE post_stats ADD COLUMN facet TEXT NOT NULL DEFAULT '';

CREATE VIEW post_facets (seq, facet) AS
SELECT posts.seq,
  CASE WHEN width = height THEN 'square' WHEN width > height THEN 'landscape' ELSE 'portrait' END
    || ' ' || coalesce(engine, '')
FROM posts LEFT JOIN images ON images.id = posts.image_id;

UPDATE post_stats SET facet = (SELECT facet FROM post_facets WHERE post_facets.seq = post_stats.seq);

CREATE INDEX post_stats_facet ON post_stats (facet, seq DESC) WHERE listed = 1;

CREATE INDEX post_stats_facet_top ON post_stats (facet, likes DESC, seq DESC) WHERE listed = 1;

CREATE TABLE facet_totals (
  facet TEXT NOT NULL PRIMARY KEY,
  posts INTEGER NOT NULL,
  liked INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO facet_totals SELECT facet, count(*), count(nullif(likes, 0)) FROM post_stats WHERE listed = 1 GROUP BY facet;

DROP TRIGGER post_stats_added;

CREATE TRIGGER post_stats_added AFTER INSERT ON posts BEGIN
  INSERT INTO post_stats (seq, author_id, day, likes, listed, facet)
    SELECT new.seq, new.author_id, new.created_at / 86400000, 0,
      (new.hidden_at IS NULL AND new.visibility = 'public'), facet
    FROM post_facets WHERE post_facets.seq = new.seq;
END;

CREATE TRIGGER facet_added AFTER INSERT ON post_stats WHEN new.listed = 1 BEGIN
  INSERT INTO facet_totals VALUES (new.facet, 1, new.likes > 0)
    ON CONFLICT (facet) DO UPDATE SET posts = posts + 1, liked = liked + excluded.liked;
END;

CREATE TRIGGER facet_removed AFTER DELETE ON post_stats WHEN old.listed = 1 BEGIN
  UPDATE facet_totals SET posts = posts - 1, liked = liked - (old.likes > 0) WHERE facet = old.facet;
  DELETE FROM facet_totals WHERE posts = 0;
END;

CREATE TRIGGER facet_changed AFTER UPDATE OF listed, likes ON post_stats
WHEN (old.listed, old.likes > 0) <> (new.listed, new.likes > 0) BEGIN
  INSERT INTO facet_totals
    VALUES (new.facet, new.listed - old.listed, new.listed * (new.likes > 0) - old.listed * (old.likes > 0))
    ON CONFLICT (facet) DO UPDATE SET posts = posts + excluded.posts, liked = liked + excluded.liked;
  DELETE FROM facet_totals WHERE posts = 0;
END;
