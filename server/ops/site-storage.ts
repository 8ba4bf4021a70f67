import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { S3StorageConfig } from '../config/storage-section.ts'
import { databaseName } from '../db/database-config.ts'
import type { Database } from '../db/open-database.ts'
import { sweepOrphans, type SweepResult } from '../images/orphans.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { Bucket } from '../storage/bucket.ts'
import { openDiskBlobStore } from '../storage/disk-blob-store.ts'
import { S3BlobStore } from '../storage/s3-blob-store.ts'
import { compareBucket, requireOwnBucket, tieBucket } from './compare-bucket.ts'
import { compareUploads, requireOwnUploads, tieUploads, type Mismatch } from './compare-uploads.ts'

export interface StorageServices {
  readonly db: Database
  /** Returns milliseconds since 1970. */
  readonly now: () => number
  readonly log?: Logger
  /** Measures the size of a disk without a limit, for metrics. */
  readonly countsBytes?: boolean
}

/** The configured storage of images, before it is known to belong to the database. */
export interface SiteStorage {
  /** Compares the storage with a database without changing either; null if they belong together. */
  compare(db: Database | null): Promise<Mismatch | null>
  /** @throws StartError if the storage and a database do not belong together, or the storage can't be read */
  requireOwn(db: Database | null): Promise<void>
  /** Writes the id of a database's site to the storage. */
  tie(db: Database): Promise<void>
  /** @throws StartError if the storage is not writable */
  open(services: StorageServices): Promise<OpenedStorage>
  /** Closes connections. */
  close(): void
}

export interface OpenedStorage {
  readonly blobs: BlobStore
  /** Removes orphaned images. @param now milliseconds since 1970 */
  readonly sweepOrphans: (now: number) => Promise<SweepResult>
}

/** @throws StartError if the storage is a bucket that cannot be used */
export async function openSiteStorage({ database, storage }: Config): Promise<SiteStorage> {
  const name = databaseName(database)
  if (storage.kind === 's3') {
    return bucketStorage(await Bucket.openUsable(storage), storage, name)
  }
  const { directory, maxBytes } = storage
  const places = { databaseName: name, uploadsDirectory: directory }
  return {
    compare: (db) => compareUploads(places, db),
    requireOwn: (db) => requireOwnUploads(places, db),
    tie: (db) => tieUploads(directory, db),
    async open({ db, countsBytes }) {
      const blobs = await openDiskBlobStore(directory, maxBytes, countsBytes)
      return { blobs, sweepOrphans: (now) => sweepOrphans({ db, blobs }, now) }
    },
    close() {},
  }
}

function bucketStorage(bucket: Bucket, config: S3StorageConfig, name: string): SiteStorage {
  return {
    compare: (db) => compareBucket(bucket, name, db),
    requireOwn: (db) => requireOwnBucket(bucket, name, db),
    tie: (db) => tieBucket(bucket, db),
    async open(services) {
      const blobs = new S3BlobStore(bucket, config.maxBytes, services)
      return {
        blobs,
        sweepOrphans: async (now) => ({
          quarantined: 0,
          restored: 0,
          removed: await blobs.sweep(now),
          skippedReason: null,
        }),
      }
    },
    close: () => bucket.close(),
  }
}
