import { lstat, mkdir, readdir, readFile, rename, statfs, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { collect, full, imageOf, testBlobStore } from '../../test/support/blob-store-contract.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import { readSiteId, writeSiteId } from './uploads-folder.ts'
import { UploadsQuota } from './uploads-quota.ts'

testBlobStore(async (maxBytes) => openDiskBlobStore(path.join(await tempFolder(), 'uploads'), maxBytes))

test('leaves nothing of a failed put, and does not count it', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory, 1_000)
  const broken = { ...imageOf(900), 'no/such/folder.webp': Buffer.alloc(100) }
  const error = { code: 'storage_unavailable', cause: { code: 'ENOENT' } }
  await expect(store.put(broken)).rejects.toMatchObject(error)
  expect(await readdir(directory)).toEqual([])
  await store.put(imageOf(1_000))
})

const unfinished = `.unfinished-${'x'.repeat(22)}`

test('rejects names that lead out of the directory or to hidden entries', async () => {
  const parent = await tempFolder()
  const directory = path.join(parent, 'uploads')
  const store = await openDiskBlobStore(directory)
  for (const folder of ['.', 'secrets', `uploads/${unfinished}`, 'uploads/other']) {
    await mkdir(path.join(parent, folder), { recursive: true })
    await writeFile(path.join(parent, folder, 'original.jpg'), 'secret')
  }
  const names = ['../secrets', '..', '.', '', 'other', `./${unfinished}`, path.join(parent, 'secrets')]
  for (const folder of [...names, unfinished]) {
    expect(await store.read(folder, 'original.jpg')).toBeNull()
    expect(await store.open(folder, 'original.jpg')).toBeNull()
  }
  for (const folder of names) await store.remove(folder)
  expect((await readdir(parent)).sort()).toEqual(['original.jpg', 'secrets', 'uploads'])
  expect((await readdir(directory)).sort()).toEqual([unfinished, 'other'])
})

test('lists and removes unfinished folders of a crash, but no files and folders of other programs', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory)
  await mkdir(path.join(directory, unfinished))
  await mkdir(path.join(directory, 'lost+found'))
  for (const file of [`${unfinished}/original.jpg`, 'x'.repeat(22), '.gitignore'])
    await writeFile(path.join(directory, file), 'half')
  expect(await collect(store.olderThan(60_000))).toEqual([])
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000)
  for (const name of await readdir(directory)) await utimes(path.join(directory, name), yesterday, yesterday)
  expect(await collect(store.olderThan(60_000))).toEqual([unfinished])
  await store.remove(unfinished)
  expect(await readdir(directory)).toHaveLength(3)
})

test('keeps images whose rows are about to be written when the clock is set forward', async () => {
  const directory = await tempFolder()
  onTestFinished(() => void vi.useRealTimers())
  const store = await openDiskBlobStore(directory)
  const folder = await store.put({ 'original.jpg': Buffer.from('image') })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 60 * 60 * 1_000 })
  const hour = 60 * 60 * 1_000
  expect(await collect(store.olderThan(hour))).toEqual([])
  // It is old for another process, which cannot be about to write its row.
  expect(await collect((await openDiskBlobStore(directory)).olderThan(hour))).toEqual([folder])
})

test('fails its check if the directory is gone', async () => {
  const directory = path.join(await tempFolder(), 'uploads')
  const store = await openDiskBlobStore(directory)
  await rename(directory, `${directory}.away`)
  await expect(store.check()).rejects.toMatchObject({ code: 'storage_unavailable' })
})

test('measures the directory when its size is asked for, and counts from then on', async () => {
  const directory = await tempFolder()
  const first = await (await openDiskBlobStore(directory)).put(imageOf(300))
  const store = await openDiskBlobStore(directory)
  expect(await store.bytes()).toBeNull()
  // Also counts images that are stored during the measurement.
  await store.put(imageOf(500))
  await expect.poll(() => store.bytes()).toBe(800)
  const reservation = await store.reserve(1_000_000)
  expect(await store.bytes()).toBe(800)
  await store.put(imageOf(70), reservation)
  await reservation.release()
  await store.remove(first)
  expect(await store.bytes()).toBe(570)
})

test('reports the free space of the disk, and of a limit if less', async () => {
  const directory = await tempFolder()
  const { bavail, bsize } = await statfs(directory)
  const free = await (await openDiskBlobStore(directory)).freeBytes()
  expect(Math.abs((free ?? 0) - bavail * bsize)).toBeLessThan(1024 ** 3)
  const limited = await openDiskBlobStore(directory, 1_000)
  await limited.put(imageOf(300))
  expect(await limited.freeBytes()).toBe(700)
})

test('counts all existing files at the next start, including leftovers of a crash', async () => {
  const directory = await tempFolder()
  await (await openDiskBlobStore(directory, 1_000)).put(imageOf(300))
  await mkdir(path.join(directory, unfinished))
  await writeFile(path.join(directory, unfinished, 'original.jpg'), Buffer.alloc(300))
  await writeFile(path.join(directory, 'notes.txt'), Buffer.alloc(300))
  const store = await openDiskBlobStore(directory, 1_000)
  await expect(store.put(imageOf(101))).rejects.toMatchObject(full)
  await store.remove(unfinished)
  await store.put(imageOf(400))
  await expect(store.put(imageOf(1))).rejects.toMatchObject(full)
})

test('rejects a reservation of the last space of the disk, which images are deleted with', async () => {
  const store = await openDiskBlobStore(await tempFolder())
  const free = (await store.freeBytes()) ?? 0
  for (const bytes of [free, 2 ** 60]) {
    await expect(store.reserve(bytes)).rejects.toMatchObject({
      code: 'storage_full',
      cause: { message: expect.stringContaining('bytes left') },
    })
  }
  await (await store.reserve(1)).release()
})

test('measures again before it rejects a write, since other processes remove images, too', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory, 1_000)
  const first = await store.put(imageOf(600))
  await (await openDiskBlobStore(directory)).remove(first)
  await store.put(imageOf(1_000))
  await expect(store.put(imageOf(1))).rejects.toMatchObject(full)
})

test('measures a full folder once for simultaneous writes, and not again within three seconds', async () => {
  let [measurements, files] = [0, 1_000]
  const quota = new UploadsQuota(1_000, 1_000, async () => {
    measurements += 1
    return files
  })
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
  const quota = new UploadsQuota(1_000, 700, () => {
    measurements += 1
    return new Promise((resolve) => (finish = resolve))
  })
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

describe('the id of the site', () => {
  const [one, other] = ['1'.repeat(32), '2'.repeat(32)]

  test('reads the id that was written last and leaves no other files', async () => {
    const uploads = path.join(await tempFolder(), 'new/uploads')
    expect(await readSiteId(uploads)).toBeNull()
    for (const id of [one, other]) {
      await writeSiteId(uploads, id)
      expect(await readSiteId(uploads)).toBe(id)
    }
    expect(await readdir(path.join(uploads, '.rangoli'))).toEqual(['site-id'])
  })

  test('replaces a link instead of following it', async () => {
    const uploads = await tempFolder()
    const victim = path.join(await tempFolder(), 'victim')
    await writeFile(victim, one)
    await mkdir(path.join(uploads, '.rangoli'))
    const file = path.join(uploads, '.rangoli/site-id')
    await symlink(victim, file)
    expect(await readSiteId(uploads)).not.toBe(one)
    await writeSiteId(uploads, other)
    expect(await readFile(victim, 'utf8')).toBe(one)
    expect((await lstat(file)).isFile()).toBe(true)
  })

  test('rejects a link in place of the hidden folder', async () => {
    const uploads = await tempFolder()
    const elsewhere = await tempFolder()
    await symlink(elsewhere, path.join(uploads, '.rangoli'))
    await expect(writeSiteId(uploads, one)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^UPLOADS_DIR: .* must be a folder, not a link\. Move it away\.$/),
    })
    expect(await readdir(elsewhere)).toEqual([])
  })

  test('reads an invalid file as the id of no site', async () => {
    const uploads = await tempFolder()
    await mkdir(path.join(uploads, '.rangoli/site-id'), { recursive: true })
    expect(await readSiteId(uploads)).toBe('unreadable')
  })
})
