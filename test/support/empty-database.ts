import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openDatabaseFile } from '../../server/db/open-database.ts'
import { makeFolder } from './folder.ts'

let migrated: Promise<Buffer> | undefined

/** Creates a migrated database without rows from a copy in memory, since running the migrations takes longer. */
export async function createEmptyDatabase(file: string): Promise<void> {
  migrated ??= migrate()
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, await migrated)
}

async function migrate(): Promise<Buffer> {
  const folder = await makeFolder()
  const file = path.join(folder, 'rangoli.db')
  await (await openDatabaseFile(file)).destroy()
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}
