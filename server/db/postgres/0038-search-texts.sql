ALTER TABLE images ADD COLUMN search_text text COLLATE "C";
