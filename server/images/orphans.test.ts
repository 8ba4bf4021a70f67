import { readdir, rename, utimes } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseFile } from '../db/open-database.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { folderPlace } from '../ops/site-storage.ts'
import { tie } from '../ops/site-storage.ts'
import { openDiskBlobStore } from '../storage/disk-blob-store.ts'
import { writeSiteId } from '../storage/uploads-folder.ts'
import { sweepOrphans } from './stored-images.ts'
import { letTimePass, uploadsIn } from '../../test/support/site.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const noChanges = { quarantined: 0, restored: 0, removed: 0, skippedReason: null }

/** Opens a site whose images were stored through another blob store, as a store tracks the images that it stores. */
async function openSite() {
  const folder = await tempFolder()
  const uploadsDirectory = path.join(folder, 'uploads')
  const databaseFile = path.join(folder, 'data/rangoli.db')
  const db = await openDatabaseFile(databaseFile)
  onTestFinished(() => db.destroy())
  await tie(folderPlace(uploadsDirectory), db)
  const earlier = await openDiskBlobStore(uploadsDirectory)
  const blobs = await openDiskBlobStore(uploadsDirectory, 1_000_000)

  const store = () => earlier.put({ 'original.jpg': Buffer.from('image') })
  async function addRow(name: string): Promise<string> {
    const row = { id: name, owner_id: 'asha', source: 'uploaded', prompt: '', state: 'succeeded' } as const
    const file = { folder: name, sha256: '00', width: 1, height: 1, created_at: 0 }
    await db
      .insertInto('images')
      .values({ ...row, ...file })
      .execute()
    return name
  }
  const storeMany = (count: number) => Promise.all(Array.from({ length: count }, store))
  return {
    db,
    blobs,
    store,
    storeMany,
    addRow,
    sweep: (now = Date.now()) => sweepOrphans({ db, blobs }, now),
    wait: (ms: number) => letTimePass(folder, ms),
    folders: () => uploadsIn(folder),
    uploadsDirectory,
    quarantine: path.join(uploadsDirectory, '.rangoli/quarantine'),
  }
}

test('moves images without a row to quarantine after an hour, except those older than the database', async () => {
  const { store, addRow, wait, sweep, folders, uploadsDirectory, quarantine } = await openSite()
  const [listed, orphan, older] = [await addRow(await store()), await store(), await store()]
  // Older than the database.
  const yesterday = new Date(Date.now() - dayMs)
  await utimes(path.join(uploadsDirectory, older), yesterday, yesterday)
  await wait(65 * minuteMs)
  const young = await store()
  await wait(55 * minuteMs)
  expect(await sweep()).toEqual({ ...noChanges, quarantined: 1 })
  expect(await folders()).toEqual([listed, young, older].sort())
  const [day = ''] = await readdir(quarantine)
  expect(await readdir(path.join(quarantine, day))).toEqual([orphan])
  expect(await sweep()).toEqual(noChanges)
})

test('removes images that have been in quarantine for a week, and frees their bytes, unless their rows exist again', async () => {
  const { blobs, store, addRow, wait, sweep, folders, quarantine } = await openSite()
  const [image] = [await store(), await store()]
  await wait(120 * minuteMs)
  const now = Date.now()
  expect(await sweep(now)).toEqual({ ...noChanges, quarantined: 2 })
  expect(await blobs.read(image, 'original.jpg')).toBeNull()
  expect(await sweep(now + 7 * dayMs - minuteMs)).toEqual(noChanges)
  const before = await blobs.bytes()
  await addRow(image)
  expect(await sweep(now + 8 * dayMs)).toEqual({ ...noChanges, restored: 1, removed: 1 })
  expect(await blobs.bytes()).toBe((before ?? 0) - 'image'.length)
  expect(await folders()).toEqual([image])
  expect(await readdir(quarantine)).toEqual([])
})

test('removes the quarantined copy of an image that was stored again', async () => {
  const { store, addRow, wait, sweep, uploadsDirectory, quarantine, folders } = await openSite()
  const image = await store()
  await wait(120 * minuteMs)
  await sweep()
  const [day = ''] = await readdir(quarantine)
  const copy = await store()
  await rename(path.join(uploadsDirectory, copy), path.join(uploadsDirectory, image))
  await addRow(image)
  expect(await sweep()).toEqual(noChanges)
  expect(await sweep(Date.parse(day) + 9 * dayMs)).toEqual({ ...noChanges, removed: 1 })
  expect(await folders()).toEqual([image])
})

test('quarantines nothing if most images have no row', async () => {
  const { storeMany, addRow, wait, sweep, folders } = await openSite()
  for (const image of await storeMany(10)) await addRow(image)
  await storeMany(11)
  await wait(120 * minuteMs)
  expect(await sweep()).toEqual({
    ...noChanges,
    skippedReason: 'the database lists 10 images in the uploads folder and does not list 11, which are kept',
  })
  expect(await folders()).toHaveLength(21)
  for (const image of await storeMany(1)) await addRow(image)
  await wait(120 * minuteMs)
  expect(await sweep()).toEqual({ ...noChanges, quarantined: 11 })
})

test('removes the files of deleted images, however many, although no others are stored', async () => {
  const { db, blobs, storeMany, wait, sweep, folders } = await openSite()
  const images = await storeMany(12)
  await db.transaction().execute((transaction) => blobs.unlink(transaction, images))
  await wait(120 * minuteMs)
  expect(await sweep()).toEqual({ ...noChanges, removed: 12 })
  expect(await folders()).toEqual([])
})

test('changes nothing in the uploads folder of another site', async () => {
  const { store, wait, sweep, folders, uploadsDirectory } = await openSite()
  const image = await store()
  await wait(120 * minuteMs)
  await sweep()
  await writeSiteId(uploadsDirectory, '0'.repeat(32))
  const other = await store()
  await wait(120 * minuteMs)
  const skippedReason =
    'the uploads folder does not belong to this database any more; its orphaned images are kept'
  expect(await sweep(Date.now() + 30 * dayMs)).toEqual({ ...noChanges, skippedReason })
  expect(await folders()).toEqual([other])
  expect(await readdir(path.join(uploadsDirectory, '.rangoli'), { recursive: true })).toContainEqual(
    expect.stringContaining(image),
  )
})
