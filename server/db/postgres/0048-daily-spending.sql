CREATE TABLE daily_spending (
  day text COLLATE "C" NOT NULL,
  engine text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  micros bigint NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (day, engine, user_id)
)

CREATE INDEX daily_spending_user ON daily_spending (user_id)
