import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/databases.ts'
import type { Database } from '../db/open-database.ts'
import { BucketUsage } from './s3-blob-store.ts'

const full = { code: 'storage_full', cause: { message: expect.stringContaining('UPLOADS_MAX_BYTES') } }

/** Bytes that are counted, which are the sum of the folders. */
async function countedBytes(db: Database): Promise<number> {
  const { bytes } = await db.selectFrom('bucket_usage').select('bytes').executeTakeFirstOrThrow()
  const folders = await db.selectFrom('bucket_folders').select('bytes').execute()
  expect(folders.reduce((sum, folder) => sum + folder.bytes, 0)).toBe(bytes)
  return bytes
}

async function open(maxBytes: number | null = null) {
  const db = await openTestDatabase()
  const usage = new BucketUsage(db, maxBytes, Date.now)
  const link = (folder: string) => db.transaction().execute((transaction) => usage.link(transaction, folder))
  const unlink = (folder: string) =>
    db.transaction().execute((transaction) => usage.unlink(transaction, [folder]))
  return { db, usage, link, unlink }
}

test('admits simultaneous folders up to the last byte', async () => {
  const { db, usage } = await open(1_000)
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => usage.insert(100)))
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(full)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await countedBytes(db)).toBe(1_000)
})

test('adds simultaneous thumbnails up to the last byte, and none to a removed folder', async () => {
  const { db, usage, link, unlink } = await open(1_000)
  const folder = await usage.insert(500)
  await link(folder)
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => usage.add(folder, 50)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  await unlink(folder)
  expect(await usage.add(folder, -50)).toBe(false)
  expect(await countedBytes(db)).toBe(1_000)
})

test('subtracts a folder once that is removed several times at once', async () => {
  const { db, usage } = await open()
  const folder = await usage.insert(300)
  await usage.insert(200)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      if (await usage.beginRemoval(folder)) await usage.forget(folder)
    }),
  )
  expect(await countedBytes(db)).toBe(200)
  expect(await db.selectFrom('bucket_folders').select('bytes').execute()).toEqual([{ bytes: 200 }])
})

test('either links a folder or removes it', async () => {
  const { db, usage, link } = await open()
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const folder = await usage.insert(1)
    const [linking, isRemoved] = await Promise.allSettled([link(folder), usage.beginRemoval(folder)])
    const isLinked = linking.status === 'fulfilled'
    expect(isRemoved).toEqual({ status: 'fulfilled', value: !isLinked })
    const row = await db
      .selectFrom('bucket_folders')
      .select('unlinked_at')
      .where('folder', '=', folder)
      .executeTakeFirstOrThrow()
    expect(row.unlinked_at === null).toBe(isLinked)
  }
})

test('lets one of several processes sweep, and the next ten minutes later', async () => {
  const { usage } = await open()
  const now = Date.now()
  const claims = await Promise.all(Array.from({ length: 8 }, () => usage.claimSweep(now)))
  expect(claims.filter((isClaimed) => isClaimed)).toHaveLength(1)
  expect(await usage.claimSweep(now + 9 * 60 * 1_000)).toBe(false)
  expect(await usage.claimSweep(now + 10 * 60 * 1_000)).toBe(true)
})
