import { randomBytes } from 'node:crypto'
import { chmod, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { smallDisk } from '../../../test/faults/disks.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { createFormerDatabase } from '../../../test/support/older-database.ts'
import { baselineName } from '../migrations.ts'
import { openDatabaseFile } from '../open-database.ts'

/** Creates a database of an earlier version. */
async function olderDatabase(folder: string): Promise<string> {
  const file = path.join(folder, 'rangoli.db')
  ;(await createFormerDatabase(file)).close()
  return file
}

const copyName = 'rangoli-at-0034-webhook-secrets.db'

const ownCopies = async (folder: string) => (await readdir(folder)).filter((name) => name.includes('-at-'))

function migrationsOf(file: string): unknown[] {
  const database = new SqliteDatabase(file, { readonly: true })
  const names = database.prepare('SELECT name FROM kysely_migration').pluck().all()
  database.close()
  return names
}

async function open(file: string): Promise<void> {
  await (await openDatabaseFile(file)).destroy()
}

async function startError(file: string): Promise<string> {
  const error = await open(file).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'StartError' })
  return (error as Error).message
}

test('copies an older database beside itself, with its permissions, before it migrates it', async () => {
  const folder = await tempFolder()
  const file = await olderDatabase(folder)
  await chmod(file, 0o600)
  await symlink(file, path.join(folder, 'link.db'))
  await open(path.join(folder, 'link.db'))
  expect(migrationsOf(file)).toContain(baselineName)
  expect(migrationsOf(path.join(folder, copyName))).not.toContain(baselineName)
  expect((await stat(path.join(folder, copyName))).mode & 0o777).toBe(0o600)
})

test('copies neither a new database nor one that is up to date', async () => {
  const folder = await tempFolder()
  const file = path.join(folder, 'rangoli.db')
  await open(file)
  await open(file)
  expect(await readdir(folder)).toEqual(['rangoli.db'])
})

test('keeps the three newest copies and removes unfinished ones', async () => {
  const folder = await tempFolder()
  const file = await olderDatabase(folder)
  const older = ['0026-invitations', '0027-trash', '0028-known-users']
  for (const name of older) await writeFile(path.join(folder, `rangoli-at-${name}.db`), '')
  const stale = `${copyName}.unfinished-${'a'.repeat(12)}`
  const fresh = `${copyName}.unfinished-${'b'.repeat(12)}`
  for (const name of [stale, fresh]) await writeFile(path.join(folder, name), '')
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await utimes(path.join(folder, stale), anHourAgo, anHourAgo)
  await open(file)
  const kept = [...older.slice(1).map((name) => `rangoli-at-${name}.db`), copyName, fresh]
  expect((await ownCopies(folder)).sort()).toEqual(kept.sort())
})

test('copies the older database once when several processes start together', async () => {
  const folder = await tempFolder()
  const file = await olderDatabase(folder)
  await Promise.all([open(file), open(file), open(file)])
  expect(await ownCopies(folder)).toEqual([copyName])
  expect(migrationsOf(path.join(folder, copyName))).not.toContain(baselineName)
})

test('fails with one line and changes nothing if the disk has no space for the copy', async () => {
  const disk = await smallDisk()
  const file = await olderDatabase(disk.folder)
  const filler = new SqliteDatabase(file)
  filler.exec('CREATE TABLE filler (bytes BLOB)')
  filler.prepare('INSERT INTO filler VALUES (?)').run(randomBytes(100_000))
  filler.close()
  // Opened beforehand, since the write-ahead log takes space, too.
  const held = new SqliteDatabase(file)
  onTestFinished(() => void held.close())
  held.pragma('journal_mode = WAL')
  held.prepare('SELECT count(*) FROM filler').get()
  disk.fill()
  expect(await startError(file)).toMatch(/^DATABASE_URL: [^\n]*nothing was changed\.$/)
  disk.freeSpace()
  expect(migrationsOf(file)).not.toContain(baselineName)
  expect(await ownCopies(disk.folder)).toEqual([])
  await open(file)
  expect(await ownCopies(disk.folder)).toEqual([copyName])
})
