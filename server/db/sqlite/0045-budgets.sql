ALTER TABLE images ADD COLUMN price_micros INTEGER

CREATE TABLE monthly_spending (
  user_id TEXT NOT NULL,
  month INTEGER NOT NULL,
  micros INTEGER NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (user_id, month)
) STRICT, WITHOUT ROWID
