import { expect, test } from 'vitest'
import { full, imageOf } from '../../test/support/blob-store-contract.ts'
import { countedBytes, openBucketStore } from '../../test/support/bucket-store.ts'
import type { Bucket } from './bucket.ts'

/** A bucket that keeps nothing. */
const bucket = {
  put: async () => {},
  replace: async () => {},
  delete: async () => {},
  async *list() {},
  size: async (_: string, file: string) => (file === 'original.jpg' ? 500 : null),
  siteId: async () => 'a site',
} as unknown as Bucket

const open = (maxBytes?: number) => openBucketStore(bucket, maxBytes)

test('admits simultaneous folders up to the last byte', async () => {
  const { db, store } = await open(1_000)
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => store.put(imageOf(100))))
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(full)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await countedBytes(db)).toBe(1_000)
})

test('adds simultaneous thumbnails up to the last byte, and none to a removed folder', async () => {
  const { db, store, link, unlink } = await open(1_000)
  const folder = await store.put(imageOf(500))
  await link(folder)
  const add = (_: unknown, index: number) => store.add(folder, `${index}.webp`, Buffer.alloc(50))
  const results = await Promise.allSettled(Array.from({ length: 12 }, add))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  await unlink(folder)
  expect(await add(null, 0)).toBe(false)
  expect(await countedBytes(db)).toBe(1_000)
})

test('subtracts once what is released and removed several times at once', async () => {
  const { db, store } = await open(1_000)
  const [folder, reservation] = [await store.put(imageOf(300)), await store.reserve(400)]
  await store.put(imageOf(200))
  const removals = Array.from({ length: 8 }, () => [store.remove(folder), reservation.release()])
  await Promise.all(removals.flat())
  expect(await countedBytes(db)).toBe(200)
  expect(await store.sweep(Date.now() + 7_200_000)).toBe(0)
  expect(await db.selectFrom('bucket_folders').selectAll().execute()).toEqual([])
  expect(await countedBytes(db)).toBe(0)
})

test('either links a folder or removes it', async () => {
  const { db, store, link } = await open()
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const folder = await store.put(imageOf(1))
    const [linking] = await Promise.allSettled([link(folder), store.remove(folder)])
    const rows = db.selectFrom('bucket_folders').select(['unlinked_at', 'bytes'])
    const row = await rows.where('folder', '=', folder).executeTakeFirstOrThrow()
    const isLinked = linking.status === 'fulfilled'
    expect([row.unlinked_at === null, row.bytes]).toEqual(isLinked ? [true, 1] : [false, 0])
  }
})
