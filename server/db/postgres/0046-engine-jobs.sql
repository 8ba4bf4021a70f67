ALTER TABLE images ADD COLUMN engine_job text COLLATE "C";
