import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { openDatabaseFile } from '../../server/db/open-database.ts'

let migrated: Promise<Buffer> | undefined

/** Creates a migrated SQLite file without rows from a copy in memory, since running the migrations takes longer. */
export async function createEmptyDatabase(file: string): Promise<void> {
  migrated ??= migrate()
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, await migrated)
  // Each site has an id of its own, by which its uploads folder recognizes it.
  const db = new SqliteDatabase(file)
  db.exec('UPDATE site SET id = lower(hex(randomblob(16)))')
  db.close()
}

async function migrate(): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-migrated-'))
  const file = path.join(folder, 'rangoli.db')
  await (await openDatabaseFile(file)).destroy()
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}
