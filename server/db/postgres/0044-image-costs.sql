ALTER TABLE images ADD COLUMN cost_micros bigint;
