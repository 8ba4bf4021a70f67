-- Counts the changes of what visitors see, as PostgreSQL does: each of them outdates cached responses. A post can be reached by others than
-- its author if it is listed, or by its link.
ALTER TABLE gallery ADD COLUMN likes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER gallery_posts_changed AFTER UPDATE ON posts
WHEN (old.hidden_at IS NULL AND old.visibility <> 'private') OR (new.hidden_at IS NULL AND new.visibility <> 'private')
BEGIN UPDATE gallery SET changes = changes + 1; END;

CREATE TRIGGER gallery_posts_removed AFTER DELETE ON posts
WHEN (old.hidden_at IS NULL AND old.visibility <> 'private')
BEGIN UPDATE gallery SET changes = changes + 1; END;

CREATE TRIGGER gallery_images_changed
AFTER UPDATE OF folder, width, height, placeholder, source, engine ON images
WHEN old.folder IS NOT NULL
  AND (old.folder, old.width, old.height, old.placeholder, old.source, old.engine)
    IS NOT (new.folder, new.width, new.height, new.placeholder, new.source, new.engine)
  AND EXISTS (
    SELECT 1 FROM posts WHERE image_id = new.id AND (posts.hidden_at IS NULL AND posts.visibility <> 'private')
  )
BEGIN UPDATE gallery SET changes = changes + 1; END;

CREATE TRIGGER gallery_post_liked AFTER INSERT ON post_likes
BEGIN UPDATE gallery SET likes = likes + 1; END;

CREATE TRIGGER gallery_post_unliked AFTER DELETE ON post_likes
BEGIN UPDATE gallery SET likes = likes + 1; END;

CREATE TRIGGER gallery_option_added AFTER INSERT ON site_options
BEGIN UPDATE gallery SET changes = changes + 1; END;

CREATE TRIGGER gallery_option_changed AFTER UPDATE ON site_options
BEGIN UPDATE gallery SET changes = changes + 1; END;

CREATE TRIGGER gallery_option_removed AFTER DELETE ON site_options
BEGIN UPDATE gallery SET changes = changes + 1; END;
