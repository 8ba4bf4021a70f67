CREATE TABLE daily_spending (
  day TEXT NOT NULL,
  engine TEXT NOT NULL,
  user_id TEXT NOT NULL,
  micros INTEGER NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (day, engine, user_id)
) STRICT, WITHOUT ROWID

CREATE INDEX daily_spending_user ON daily_spending (user_id)
