-- API keys that programs obtain and renew by OAuth.
ALTER TABLE api_keys ADD COLUMN program_host TEXT;

ALTER TABLE api_keys ADD COLUMN family_hash TEXT;

ALTER TABLE api_keys ADD COLUMN proof_hash TEXT;

ALTER TABLE api_keys ADD COLUMN token_expires_at INTEGER;

CREATE UNIQUE INDEX api_keys_family ON api_keys (family_hash) WHERE family_hash IS NOT NULL;
