import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { StartError } from '../errors/start-error.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { collect, testBlobStore } from '../../test/support/blob-store-contract.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import { unlimitedTotal } from './folder-total.ts'

testBlobStore(async () => openDiskBlobStore(path.join(await tempFolder(), 'uploads')))

test('nothing of a failed put stays', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory)
  const broken = { 'original.jpg': Buffer.from('fine'), 'no/such/folder.webp': Buffer.from('not') }
  await expect(store.put(broken)).rejects.toMatchObject({ cause: { code: 'ENOENT' } })
  expect(await readdir(directory)).toEqual([])
})

test('no name leads out of the directory, or to what is hidden in it', async () => {
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

test('what a crash left half written is old one day, and can be removed', async () => {
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

test('files of other users in the directory are nobody to remove', async () => {
  const directory = await tempFolder()
  const store = await openDiskBlobStore(directory)
  await writeFile(path.join(directory, 'x'.repeat(22)), 'a file, not a folder')
  await mkdir(path.join(directory, 'lost+found'))
  await writeFile(path.join(directory, '.gitignore'), '*')
  expect(await collect(store.olderThan(-60_000))).toEqual([])
})

test('a directory that cannot be made is refused in one line', async () => {
  const parent = await tempFolder()
  await writeFile(path.join(parent, 'uploads'), 'a file where the folder should be')
  const directory = path.join(parent, 'uploads')
  const error = await openDiskBlobStore(directory).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartError)
  expect(error).toMatchObject({ message: `UPLOADS_DIR: the folder ${directory} can't be written.` })
})

test('what could not be stored is known before', async () => {
  const directory = path.join(await tempFolder(), 'uploads')
  const store = await openDiskBlobStore(directory)
  await rename(directory, `${directory}.away`)
  await expect(store.check()).rejects.toMatchObject({ code: 'storage_unavailable' })
})

test('what everything takes is measured once and then counted; nobody counts where nobody asks', async () => {
  const directory = await tempFolder()
  const earlier = await openDiskBlobStore(directory)
  const first = await earlier.put({ 'original.jpg': Buffer.alloc(300) })
  expect(earlier.bytes).toBeNull()
  const store = await openDiskBlobStore(directory, null, true)
  // Also what is put while the folder is still being measured.
  await store.put({ 'original.jpg': Buffer.alloc(500) })
  await expect.poll(() => store.bytes).toBe(800)
  const room = await store.reserve(1_000_000)
  expect(store.bytes).toBe(800)
  await store.put({ 'original.jpg': Buffer.alloc(70) }, room)
  room.release()
  await store.remove(first)
  expect(store.bytes).toBe(570)
})

test('a folder that cannot be measured says why to whoever asks', async () => {
  const total = unlimitedTotal('\0', () => false)
  await expect.poll(() => thrown(() => total.bytes)).toBeInstanceOf(Error)
})

function thrown(read: () => unknown): unknown {
  try {
    read()
    return null
  } catch (error) {
    return error
  }
}
