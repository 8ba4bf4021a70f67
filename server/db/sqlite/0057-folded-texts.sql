-- The index of prompts follows their folded texts, as that of posts does.
CREATE TRIGGER image_prompt_changed AFTER UPDATE OF search_text ON images WHEN old.search_text <> new.search_text BEGIN
  DELETE FROM images_trigrams WHERE rowid = old.seq;
  DELETE FROM images_grams WHERE rowid = old.seq;
  INSERT INTO images_trigrams (rowid, text)
    SELECT new.seq, char(983040) || substr('  ' || new.owner_id, -2) || new.search_text WHERE new.search_text <> '';
  INSERT INTO images_grams (rowid, grams)
    SELECT new.seq, 'o' || hex(substr('  ' || new.owner_id, -2)) || ' ' || grams(new.search_text)
    WHERE new.search_text <> '';
END;
