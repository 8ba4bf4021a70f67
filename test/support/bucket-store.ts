import { expect } from 'vitest'
import type { Database } from '../../server/db/open-database.ts'
import type { Bucket } from '../../server/storage/bucket.ts'
import { S3BlobStore } from '../../server/storage/s3-blob-store.ts'
import { openTestDatabase } from './databases.ts'

/** Opens a store of a bucket, with a database of its own, and links and unlinks folders. */
export async function openBucketStore(bucket: Bucket, maxBytes: number | null = null) {
  const db = await openTestDatabase()
  const store = new S3BlobStore(bucket, maxBytes, { db, now: Date.now })
  const link = (folder: string) => db.transaction().execute((transaction) => store.link(transaction, folder))
  const unlink = (folder: string) =>
    db.transaction().execute((transaction) => store.unlink(transaction, [folder]))
  return { db, store, link, unlink }
}

/** Bytes that are counted, which are the sum of the folders. */
export async function countedBytes(db: Database): Promise<number> {
  const { bytes } = await db.selectFrom('bucket_usage').select('bytes').executeTakeFirstOrThrow()
  const folders = await db.selectFrom('bucket_folders').select('bytes').execute()
  expect(folders.reduce((sum, folder) => sum + folder.bytes, 0)).toBe(bytes)
  return bytes
}
