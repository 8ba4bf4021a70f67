-- Marks of images: the file with Content Credentials beside an original, what the metadata of an upload said, a perceptual hash, and the
-- image that an upload was recognized as. Images that differ by few bits have a similar quarter of the hash, by which they are found.
ALTER TABLE images ADD COLUMN credentials text COLLATE "C";

ALTER TABLE images ADD COLUMN marks text COLLATE "C";

ALTER TABLE images ADD COLUMN fingerprint text COLLATE "C";

ALTER TABLE images ADD COLUMN original_id text COLLATE "C";

CREATE INDEX images_sha256 ON images (sha256) WHERE sha256 IS NOT NULL;

CREATE INDEX images_credentials ON images (credentials) WHERE credentials IS NOT NULL;

CREATE INDEX images_fingerprint_1 ON images (substr(fingerprint, 1, 4), seq) WHERE fingerprint IS NOT NULL;

CREATE INDEX images_fingerprint_2 ON images (substr(fingerprint, 5, 4), seq) WHERE fingerprint IS NOT NULL;

CREATE INDEX images_fingerprint_3 ON images (substr(fingerprint, 9, 4), seq) WHERE fingerprint IS NOT NULL;

CREATE INDEX images_fingerprint_4 ON images (substr(fingerprint, 13, 4), seq) WHERE fingerprint IS NOT NULL;
