ALTER TABLE images ADD COLUMN engine_job TEXT;
