ALTER TABLE images ADD COLUMN price_micros bigint

CREATE TABLE monthly_spending (
  user_id text COLLATE "C" NOT NULL,
  month integer NOT NULL,
  micros bigint NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (user_id, month)
)
