-- The gallery first, as in inserts of posts: by their names, the triggers of images and the cascade to collections run before those that
-- count posts, and two transactions would wait for each other.
CREATE FUNCTION lock_gallery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM gallery FOR NO KEY UPDATE;
  RETURN NULL;
END $$;

CREATE TRIGGER posts_locked BEFORE UPDATE OR DELETE ON posts FOR EACH STATEMENT EXECUTE FUNCTION lock_gallery();
