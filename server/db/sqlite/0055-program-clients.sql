-- By which the connections of a program to an account are listed and ended as one.
ALTER TABLE api_keys ADD COLUMN client_hash TEXT;
