import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { claimDatabase, acquireFileLock, type Release } from '../../db/sqlite/file-lock.ts'
import { StartError } from '../../errors/start-error.ts'
import { isStorageError } from '../../errors/app-error.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import type { SiteFiles } from './site-files.ts'

/**
 * Does work on the files of a site while nobody else does: no server, no command, no other restore.
 *
 * @param work is handed an empty folder on the database's disk, which goes when it is done
 * @throws StartError where somebody uses them
 */
export async function withSiteClaimed<Result>(
  site: SiteFiles,
  work: (workshop: string) => Promise<Result>,
): Promise<Result> {
  const workshop = path.join(path.dirname(site.databaseFile), '.restoring')
  await mkdir(workshop, { recursive: true, mode: 0o700 })
  const release = acquireFileLock(path.join(workshop, 'lock'))
  if (!release) throw new StartError(`Another restore to ${site.databaseFile} is running.`)
  try {
    const releaseDatabase = await claim(site.databaseFile)
    try {
      const room = path.join(workshop, 'room')
      await rm(room, { recursive: true, force: true })
      await mkdir(room)
      return await work(room)
    } finally {
      releaseDatabase()
    }
  } finally {
    await rm(workshop, { recursive: true, force: true })
    release()
  }
}

async function claim(file: string): Promise<Release> {
  if (!(await nullIfMissing(stat(file)))) return () => undefined
  try {
    const release = claimDatabase(file)
    if (release) return release
  } catch (error) {
    if (!isStorageError(error)) throw error
    // What is damaged can be replaced all the more.
    return () => undefined
  }
  throw new StartError(
    `The database ${file} is in use; stop the server, and whatever else uses it, before restoring.`,
  )
}
