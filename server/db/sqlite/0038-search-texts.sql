ALTER TABLE images ADD COLUMN search_text TEXT;
