import { access, constants, statfs } from 'node:fs/promises'
import path from 'node:path'
import { storageFull } from '../errors/app-error.ts'
import type { Database } from './open-database.ts'

/** What the next write takes at most, roughly. */
const leastFree = 1024 * 1024

/**
 * Makes sure that the database could be written: its file may be, its disk has room, and the lock of writers can be had.
 * Nothing is written, as what is kept by the database's version would have to be made anew.
 *
 * @throws Error, AppError where that is not so
 */
export async function requireWritable(db: Database, file: string): Promise<void> {
  await access(file, constants.W_OK)
  const { blocks, bavail, bsize } = await statfs(path.dirname(file))
  // Some network file systems do not say how large they are.
  if (blocks > 0 && bavail * bsize < leastFree) {
    throw storageFull(new Error(`The disk of ${file} has ${bavail * bsize} bytes left.`))
  }
  // A transaction holds the lock from its beginning; an empty one leaves the file as it is.
  await db.transaction().execute(async () => {})
}
