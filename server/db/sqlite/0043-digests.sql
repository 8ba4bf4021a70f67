ALTER TABLE notification_settings ADD COLUMN mailed_until INTEGER NOT NULL DEFAULT 0;
