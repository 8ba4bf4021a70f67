ALTER TABLE notification_settings ADD COLUMN mailed_until bigint NOT NULL DEFAULT 0;
