import { mkdir, readdir, rename, statfs, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { StartError } from '../errors/app-error.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { collect, testBlobStore } from '../../test/support/blob-store-contract.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import { unlimitedQuota } from './uploads-quota.ts'

testBlobStore(async () => openDiskBlobStore(path.join(await tempFolder(), 'uploads')))

test('leaves nothing of a failed put', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory)
  const broken = { 'original.jpg': Buffer.from('fine'), 'no/such/folder.webp': Buffer.from('not') }
  await expect(store.put(broken)).rejects.toMatchObject({ cause: { code: 'ENOENT' } })
  expect(await readdir(directory)).toEqual([])
})

test('rejects names that lead out of the directory or to hidden entries', async () => {
  const parent = await tempFolder()
  const directory = path.join(parent, 'uploads')
  const store = await openDiskBlobStore(directory)
  const unfinished = `.unfinished-${'x'.repeat(22)}`
  for (const folder of [
    path.join(parent, 'secrets'),
    path.join(directory, unfinished),
    path.join(directory, 'other'),
  ]) {
    await mkdir(folder)
    await writeFile(path.join(folder, 'original.jpg'), 'secret')
  }
  await writeFile(path.join(parent, 'original.jpg'), 'secret')
  for (const folder of [
    '../secrets',
    '..',
    '.',
    '',
    'other',
    unfinished,
    `./${unfinished}`,
    path.join(parent, 'secrets'),
  ]) {
    expect(await store.read(folder, 'original.jpg')).toBeNull()
    expect(await store.open(folder, 'original.jpg')).toBeNull()
  }
  for (const folder of ['../secrets', '..', '.', '', 'other']) await store.remove(folder)
  expect((await readdir(parent)).sort()).toEqual(['original.jpg', 'secrets', 'uploads'])
  expect(await readdir(directory)).toContain('other')
})

test('lists and removes unfinished folders of a crash', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory)
  const unfinished = `.unfinished-${'a'.repeat(22)}`
  await mkdir(path.join(directory, unfinished))
  await writeFile(path.join(directory, unfinished, 'original.jpg'), 'half')
  expect(await collect(store.olderThan(60_000))).toEqual([])

  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000)
  await utimes(path.join(directory, unfinished), yesterday, yesterday)
  expect(await collect(store.olderThan(60_000))).toEqual([unfinished])
  await store.remove(unfinished)
  expect(await readdir(directory)).toEqual([])
})

test('does not list files and folders of other programs', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory)
  await writeFile(path.join(directory, 'x'.repeat(22)), 'a file, not a folder')
  await mkdir(path.join(directory, 'lost+found'))
  await writeFile(path.join(directory, '.gitignore'), '*')
  expect(await collect(store.olderThan(-60_000))).toEqual([])
})

test('rejects a directory that cannot be created with one line', async () => {
  const parent = await tempFolder()
  await writeFile(path.join(parent, 'uploads'), 'a file where the folder should be')
  const directory = path.join(parent, 'uploads')
  const error = await openDiskBlobStore(directory).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartError)
  expect(error).toMatchObject({ message: `UPLOADS_DIR: the folder ${directory} can't be written.` })
})

test('fails its check if the directory is gone', async () => {
  const directory = path.join(await tempFolder(), 'uploads')
  const store = await openDiskBlobStore(directory)
  await rename(directory, `${directory}.away`)
  await expect(store.check()).rejects.toMatchObject({ code: 'storage_unavailable' })
})

test('measures the directory once and counts from then on, if it is asked to', async () => {
  const directory = await tempFolder()
  const earlier = await openDiskBlobStore(directory)
  const first = await earlier.put({ 'original.jpg': Buffer.alloc(300) })
  const store = await openDiskBlobStore(directory, null, true)
  // Also counts images that are stored during the measurement.
  await store.put({ 'original.jpg': Buffer.alloc(500) })
  await expect.poll(() => store.bytes()).toBe(800)
  const reservation = await store.reserve(1_000_000)
  expect(await store.bytes()).toBe(800)
  await store.put({ 'original.jpg': Buffer.alloc(70) }, reservation)
  await reservation.release()
  await store.remove(first)
  expect(await store.bytes()).toBe(570)
})

test('measures the directory when its size is asked for', async () => {
  const store = await openDiskBlobStore(await tempFolder())
  await store.put({ 'original.jpg': Buffer.alloc(300) })
  expect(await store.bytes()).toBeNull()
  await expect.poll(() => store.bytes()).toBe(300)
})

test('reports the free space of the disk, and of a limit if less', async () => {
  const directory = await tempFolder()
  const { bavail, bsize } = await statfs(directory)
  const free = await (await openDiskBlobStore(directory)).freeBytes()
  expect(Math.abs((free ?? 0) - bavail * bsize)).toBeLessThan(1024 ** 3)
  const limited = await openDiskBlobStore(directory, 1_000)
  await limited.put({ 'original.jpg': Buffer.alloc(300) })
  expect(await limited.freeBytes()).toBe(700)
})

test('throws the error of the measurement', async () => {
  const { bytes } = unlimitedQuota('\0', () => false)
  await expect.poll(() => thrown(bytes)).toBeInstanceOf(Error)
})

function thrown(read: () => unknown): unknown {
  try {
    read()
    return null
  } catch (error) {
    return error
  }
}
