import { readdir, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { siteFolder } from '../../server/storage/uploads-folder.ts'

/** Returns the database file of a test server. */
export function databaseFileOf({ directory }: { readonly directory: string }): string {
  return path.join(directory, 'data/rangoli.db')
}

/** Lists the uploads folder of a site without its hidden folder. */
export async function uploadsIn(directory: string): Promise<string[]> {
  const names = await readdir(path.join(directory, 'uploads'))
  return names.filter((name) => name !== siteFolder).sort()
}

/** Makes a site and its uploads older by `ms` milliseconds. */
export async function letTimePass(directory: string, ms: number): Promise<void> {
  const database = new SqliteDatabase(databaseFileOf({ directory }))
  database.prepare('UPDATE site SET created_at = created_at - ?').run(ms)
  database.close()
  for (const name of await uploadsIn(directory)) {
    const file = path.join(directory, 'uploads', name)
    const moment = new Date((await stat(file)).mtimeMs - ms)
    await utimes(file, moment, moment)
  }
}
