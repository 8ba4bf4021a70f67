ALTER TABLE user_access ADD COLUMN monthly_budget_micros bigint;
