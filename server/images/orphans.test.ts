import { readdir, rename, utimes } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db/open-database.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { tieUploads } from '../ops/compare-uploads.ts'
import { openDiskBlobStore } from '../storage/disk-blob-store.ts'
import { writeSiteId } from '../storage/uploads-folder.ts'
import { sweepOrphans } from './orphans.ts'
import { letTimePass, uploadsIn } from '../../test/support/site.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const nothing = { quarantined: 0, restored: 0, removed: 0, refusal: null }

/** A site whose images are stored by an earlier process, as the one that stored an image remembers it. */
async function openSite() {
  const folder = await tempFolder()
  const uploadsDirectory = path.join(folder, 'uploads')
  const databaseFile = path.join(folder, 'data/rangoli.db')
  const db = await openDatabase(databaseFile)
  onTestFinished(() => db.destroy())
  await tieUploads({ databaseFile, uploadsDirectory }, db)
  const earlier = await openDiskBlobStore(uploadsDirectory)
  const blobs = await openDiskBlobStore(uploadsDirectory, 1_000_000)

  const store = () => earlier.put({ 'original.jpg': Buffer.from('image') })
  async function know(name: string): Promise<string> {
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
    blobs,
    store,
    storeMany,
    know,
    sweep: (now = Date.now()) => sweepOrphans({ db, blobs }, now),
    wait: (ms: number) => letTimePass(folder, ms),
    left: () => uploadsIn(folder),
    uploadsDirectory,
    quarantine: path.join(uploadsDirectory, '.rangoli/quarantine'),
  }
}

test('moves images without a row to quarantine when they are an hour old', async () => {
  const { store, know, wait, sweep, left, quarantine } = await openSite()
  const [known, orphan] = [await know(await store()), await store()]
  await wait(65 * minuteMs)
  const young = await store()
  await wait(55 * minuteMs)
  expect(await sweep()).toEqual({ ...nothing, quarantined: 1 })
  expect(await left()).toEqual([known, young].sort())
  const [day = ''] = await readdir(quarantine)
  expect(await readdir(path.join(quarantine, day))).toEqual([orphan])
  expect(await sweep()).toEqual(nothing)
})

test('leaves images alone that are older than the database', async () => {
  const { store, wait, sweep, left, uploadsDirectory } = await openSite()
  const foreign = await store()
  const yesterday = new Date(Date.now() - dayMs)
  await utimes(path.join(uploadsDirectory, foreign), yesterday, yesterday)
  await wait(120 * minuteMs)
  expect(await sweep()).toEqual(nothing)
  expect(await left()).toEqual([foreign])
})

test('removes images that have been in quarantine for a week, and frees their bytes', async () => {
  const { blobs, store, wait, sweep, quarantine } = await openSite()
  await store()
  await wait(120 * minuteMs)
  const now = Date.now()
  expect(await sweep(now)).toEqual({ ...nothing, quarantined: 1 })
  expect(await sweep(now + 7 * dayMs - minuteMs)).toEqual(nothing)
  const before = blobs.bytes
  expect(await sweep(now + 8 * dayMs)).toEqual({ ...nothing, removed: 1 })
  expect(blobs.bytes).toBe((before ?? 0) - 'image'.length)
  expect(await readdir(quarantine)).toEqual([])
})

test('restores an image from quarantine whose row has come back', async () => {
  const { blobs, store, know, wait, sweep, left } = await openSite()
  const image = await store()
  await wait(120 * minuteMs)
  await sweep()
  expect(await blobs.read(image, 'original.jpg')).toBeNull()
  await know(image)
  // However late: a row outweighs the week.
  expect(await sweep(Date.now() + 30 * dayMs)).toEqual({ ...nothing, restored: 1 })
  expect(await left()).toEqual([image])
  expect(await blobs.read(image, 'original.jpg')).not.toBeNull()
})

test('removes an image from quarantine after a week that is stored again', async () => {
  const { store, know, wait, sweep, uploadsDirectory, quarantine, left } = await openSite()
  const image = await store()
  await wait(120 * minuteMs)
  await sweep()
  const [day = ''] = await readdir(quarantine)
  const copy = await store()
  await rename(path.join(uploadsDirectory, copy), path.join(uploadsDirectory, image))
  await know(image)
  expect(await sweep()).toEqual(nothing)
  expect(await sweep(Date.parse(day) + 9 * dayMs)).toEqual({ ...nothing, removed: 1 })
  expect(await left()).toEqual([image])
})

test('moves what a crash leaves of a small site, even if it is most of it', async () => {
  const { store, storeMany, know, wait, sweep, left } = await openSite()
  const known = await know(await store())
  await storeMany(10)
  await wait(120 * minuteMs)
  expect(await sweep()).toEqual({ ...nothing, quarantined: 10 })
  expect(await left()).toEqual([known])
})

test('moves nothing if most images are unknown', async () => {
  const { storeMany, know, wait, sweep, left } = await openSite()
  for (const image of await storeMany(10)) await know(image)
  await storeMany(11)
  await wait(120 * minuteMs)
  expect(await sweep()).toEqual({
    ...nothing,
    refusal: 'the database knows 10 images in the uploads folder and does not know 11; these stay',
  })
  expect(await left()).toHaveLength(21)
  for (const image of await storeMany(1)) await know(image)
  await wait(120 * minuteMs)
  expect(await sweep()).toEqual({ ...nothing, quarantined: 11 })
})

test('touches nothing in a folder that belongs to another site', async () => {
  const { store, wait, sweep, left, uploadsDirectory } = await openSite()
  const image = await store()
  await wait(120 * minuteMs)
  await sweep()
  await writeSiteId(uploadsDirectory, '0'.repeat(32))
  const other = await store()
  await wait(120 * minuteMs)
  const refusal = 'the uploads folder does not belong to this database any more; its orphaned images stay'
  expect(await sweep(Date.now() + 30 * dayMs)).toEqual({ ...nothing, refusal })
  expect(await left()).toEqual([other])
  expect(await readdir(path.join(uploadsDirectory, '.rangoli'), { recursive: true })).toContainEqual(
    expect.stringContaining(image),
  )
})
