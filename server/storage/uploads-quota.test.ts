import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { testBlobStore } from '../../test/support/blob-store-contract.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import { UploadsQuota } from './uploads-quota.ts'

const image = (bytes: number) => ({ 'original.jpg': Buffer.alloc(bytes, 'x') })
const full = { code: 'storage_full', cause: { message: expect.stringContaining('UPLOADS_MAX_BYTES') } }

testBlobStore(async () => openDiskBlobStore(path.join(await tempFolder(), 'uploads'), 10_000_000))

test('stores images up to the last byte, and again once one is removed', async () => {
  const store = await openDiskBlobStore(await tempFolder(), 1_000)
  const first = await store.put(image(600))
  await store.put(image(400))
  await expect(store.put(image(1))).rejects.toMatchObject(full)
  await store.remove(first)
  await store.put(image(600))
  await expect(store.put(image(1))).rejects.toMatchObject(full)
})

test('counts all existing files at the next start, including leftovers of a crash', async () => {
  const directory = await tempFolder()
  await (await openDiskBlobStore(directory, 1_000)).put(image(300))
  const unfinished = path.join(directory, `.unfinished-${'a'.repeat(22)}`)
  await mkdir(unfinished)
  await writeFile(path.join(unfinished, 'original.jpg'), Buffer.alloc(300))
  await writeFile(path.join(directory, 'notes.txt'), Buffer.alloc(300))
  const store = await openDiskBlobStore(directory, 1_000)
  await expect(store.put(image(101))).rejects.toMatchObject(full)
  await store.remove(path.basename(unfinished))
  await store.put(image(400))
  await expect(store.put(image(1))).rejects.toMatchObject(full)
})

test('holds for simultaneous writes, and subtracts an image once that is removed twice', async () => {
  const store = await openDiskBlobStore(await tempFolder(), 1_000)
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => store.put(image(100))))
  const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(stored).toHaveLength(10)
  const [folder = ''] = stored
  await Promise.all([store.remove(folder), store.remove(folder), store.remove(folder)])
  await store.put(image(100))
  await expect(store.put(image(1))).rejects.toMatchObject(full)
})

test('does not count a failed put', async () => {
  const store = await openDiskBlobStore(await tempFolder(), 1_000)
  const broken = { 'original.jpg': Buffer.alloc(900), 'no/such/folder.webp': Buffer.alloc(100) }
  await expect(store.put(broken)).rejects.toMatchObject({ code: 'storage_unavailable' })
  await store.put(image(1_000))
})

test('keeps reserved space for the write that it was reserved for until it is released', async () => {
  const store = await openDiskBlobStore(await tempFolder(), 1_000)
  const reservation = await store.reserve(700)
  await expect(store.reserve(301)).rejects.toMatchObject(full)
  await expect(store.put(image(301))).rejects.toMatchObject(full)
  await store.put(image(300))
  await store.put(image(700), reservation)
  await reservation.release()
  await expect(store.put(image(1))).rejects.toMatchObject(full)
})

test('rejects a reservation of more space than the disk has', async () => {
  const store = await openDiskBlobStore(await tempFolder())
  await expect(store.reserve(2 ** 60)).rejects.toMatchObject({
    code: 'storage_full',
    cause: { message: expect.stringContaining('bytes left') },
  })
  await (await store.reserve(1)).release()
})

test('measures again before it rejects a write, since other processes remove images, too', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory, 1_000)
  const first = await store.put(image(600))
  await (await openDiskBlobStore(directory)).remove(first)
  await store.put(image(1_000))
  await expect(store.put(image(1))).rejects.toMatchObject(full)
})

test('measures a full folder once for simultaneous writes, and not again within three seconds', async () => {
  let [measurements, files] = [0, 1_000]
  const quota = new UploadsQuota(1_000, async () => {
    measurements += 1
    return files
  })
  quota.add(1_000)
  const many = await Promise.allSettled(Array.from({ length: 20 }, () => quota.beginWrite(1)))
  expect(many.map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
  expect(measurements).toBe(1)

  files = 0
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  await expect(quota.beginWrite(1)).rejects.toMatchObject(full)
  clock.mockReturnValue(performance.now() + 60_000)
  await quota.reserve(1_000)
  expect(measurements).toBe(2)
})

test('counts writes during a measurement', async () => {
  let [finish, measurements] = [(_bytes: number) => {}, 0]
  const quota = new UploadsQuota(1_000, () => {
    measurements += 1
    return new Promise((resolve) => (finish = resolve))
  })
  quota.add(700)
  await quota.reserve(200)
  quota.beginReservedWrite(50)
  const waiting = quota.reserve(300)
  await vi.waitFor(() => expect(measurements).toBe(1))
  quota.beginReservedWrite(100)
  quota.release(100)
  // The measurement missed the two new files and found all others removed.
  finish(0)
  await waiting
  expect(quota.bytes).toBe(150)
  await expect(quota.reserve(451)).rejects.toMatchObject(full)
  await quota.reserve(450)
})
