import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
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

const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')

const lockingProgram = `
  const database = new (require(${JSON.stringify(sqlite)}))(process.argv[1])
  database.exec('BEGIN EXCLUSIVE')
  process.stdout.write('locked')
  process.stdin.resume()
`

/** Locks a database in another process. Returns a function that releases the lock. */
export async function holdLock(file: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', lockingProgram, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('The other process could not lock the database.')
    }),
  ])
  return async () => {
    child.stdin.end()
    await ended
  }
}
