-- Words of the prompts of listed posts, and the newest posts with each. A program counts the changes that triggers queue, as SQL can't
-- split the texts of every script: see server/posts/words.
CREATE TABLE words (
  word TEXT NOT NULL PRIMARY KEY,
  posts INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX words_frequent ON words (posts DESC, word);

CREATE TABLE word_posts (
  word TEXT NOT NULL,
  post INTEGER NOT NULL,
  PRIMARY KEY (word, post)
) STRICT, WITHOUT ROWID;

CREATE TABLE word_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  post INTEGER NOT NULL,
  search_text TEXT NOT NULL,
  change INTEGER NOT NULL
) STRICT;

INSERT INTO word_changes (post, search_text, change)
SELECT seq, search_text, 1 FROM posts WHERE hidden_at IS NULL AND visibility = 'public' ORDER BY seq DESC;

CREATE TRIGGER post_words_added AFTER INSERT ON posts WHEN (new.hidden_at IS NULL AND new.visibility = 'public') BEGIN
  INSERT INTO word_changes (post, search_text, change) VALUES (new.seq, new.search_text, 1);
END;

CREATE TRIGGER post_words_removed AFTER DELETE ON posts WHEN (old.hidden_at IS NULL AND old.visibility = 'public') BEGIN
  INSERT INTO word_changes (post, search_text, change) VALUES (old.seq, old.search_text, -1);
END;

CREATE TRIGGER post_words_changed AFTER UPDATE OF seq, search_text, hidden_at, visibility ON posts
WHEN (old.seq, old.search_text, old.hidden_at IS NULL AND old.visibility = 'public')
  IS NOT (new.seq, new.search_text, new.hidden_at IS NULL AND new.visibility = 'public')
BEGIN
  INSERT INTO word_changes (post, search_text, change)
    SELECT old.seq, old.search_text, -1 WHERE old.hidden_at IS NULL AND old.visibility = 'public';
  INSERT INTO word_changes (post, search_text, change)
    SELECT new.seq, new.search_text, 1 WHERE new.hidden_at IS NULL AND new.visibility = 'public';
END;
