import { open } from 'node:fs/promises'
import SqliteDatabase from 'better-sqlite3'

/** Overwrites the first page of a table or an index, as a failing disk would. */
export async function damageTable(file: string, table: string): Promise<void> {
  const database = new SqliteDatabase(file)
  const page = database
    .prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .pluck()
    .get(table) as number
  const size = database.pragma('page_size', { simple: true }) as number
  database.close()
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size)
  await handle.close()
}
