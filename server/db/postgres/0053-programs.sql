-- API keys that programs obtain and renew by OAuth.
ALTER TABLE api_keys ADD COLUMN program_host text COLLATE "C";

ALTER TABLE api_keys ADD COLUMN family_hash text COLLATE "C";

ALTER TABLE api_keys ADD COLUMN proof_hash text COLLATE "C";

ALTER TABLE api_keys ADD COLUMN token_expires_at bigint;

CREATE UNIQUE INDEX api_keys_family ON api_keys (family_hash) WHERE family_hash IS NOT NULL;
