import { readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db/open-database.ts'
import { tempFolder } from '../http/test-folder.ts'
import { openDiskBlobStore } from '../storage/disk-blob-store.ts'
import { sweepPictures } from './sweep-pictures.ts'

test('folders without a row go when they are an hour old; those with a row stay, and so do young ones', async () => {
  const directory = path.join(await tempFolder(), 'uploads')
  const db = await openDatabase(path.join(directory, '../rangoli.db'))
  onTestFinished(() => db.destroy())
  const earlier = await openDiskBlobStore(directory)
  const put = async (minutesAgo: number) => {
    const folder = await earlier.put({ 'original.jpg': Buffer.from('picture') })
    const moment = new Date(Date.now() - minutesAgo * 60_000)
    await utimes(path.join(directory, folder), moment, moment)
    return folder
  }
  const known = await put(24 * 60)
  const young = await put(55)
  const orphans = [await put(65), await put(24 * 60)]
  await db
    .insertInto('images')
    .values({
      id: 'known',
      owner_id: 'asha',
      source: 'uploaded',
      prompt: '',
      state: 'ready',
      folder: known,
      sha256: '00',
      width: 1,
      height: 1,
      created_at: 0,
    })
    .execute()

  const blobs = await openDiskBlobStore(directory)
  expect(await sweepPictures({ db, blobs })).toBe(orphans.length)
  expect((await readdir(directory)).sort()).toEqual([known, young].sort())
  expect(await sweepPictures({ db, blobs })).toBe(0)
})
