import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')

const program = `
  const database = new (require(${JSON.stringify(sqlite)}))(process.argv[1])
  database.exec('BEGIN EXCLUSIVE')
  process.stdout.write('held')
  process.stdin.resume()
`

/** Has another process lock a database for itself. Returns how to end that. */
export async function holdLock(file: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', program, file], { stdio: ['pipe', 'pipe', 'inherit'] })
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
