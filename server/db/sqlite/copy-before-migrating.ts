import { randomBytes } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Kysely } from 'kysely'
import { StartError } from '../../errors/app-error.ts'
import { freeBytesOf, syncFolder, nullIfMissing } from '../../files/disk-files.ts'
import { reasonOf } from '../database-errors.ts'
import type { Schema } from '../schema.ts'
import { withExistingDatabase } from '../schema-version.ts'
import { copyDatabase, databaseSize } from './maintenance.ts'
import { systemClock } from '../../time/clock.ts'

const maxCopies = 3

/** Age from which an unfinished copy is a leftover of a process that ended. */
const unfinishedMaxAgeMs = 10 * 60 * 1_000

/**
 * Copies a database beside itself before an update migrates it, named after its last migration `version`.
 * @throws StartError, also without enough space
 */
export async function copyBeforeMigrating(db: Kysely<Schema>, file: string, version: string): Promise<void> {
  const { dir, name, ext } = path.parse(file)
  const copy = path.join(dir, `${name}-at-${version}${ext}`)
  const unfinished = `${copy}.unfinished-${randomBytes(6).toString('hex')}`
  try {
    await removeUnfinished(file)
    await requireSpace(db, dir)
    await copyDatabase(db, unfinished, (await stat(file)).mode)
    const copied = await withExistingDatabase(unfinished, async ({ applied }) => applied.at(-1))
    // Another process may have migrated the database meanwhile; its copy is the right one then.
    if (copied === version) await rename(unfinished, copy)
    await syncFolder(dir)
    await removeOldCopies(file)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `DATABASE_URL: the database ${file} can't be copied before it is brought up to date (${reasonOf(error)}); nothing was changed.`,
      { cause: error },
    )
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function requireSpace(db: Kysely<Schema>, folder: string): Promise<void> {
  const size = await databaseSize(db)
  const free = await freeBytesOf(folder)
  if (free === null || free > size) return
  throw new StartError(
    `DATABASE_URL: the database is copied before it is brought up to date, which takes ${megabytes(size)} in ${folder}, and ${megabytes(free)} are free. Free some space; nothing was changed.`,
  )
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`
}

async function removeUnfinished(file: string): Promise<void> {
  const oldest = systemClock() - unfinishedMaxAgeMs
  for (const name of await copiesOf(file, /\.unfinished-[0-9a-f]{12}(?:-wal|-shm|-journal)?$/)) {
    const found = await nullIfMissing(stat(name))
    if (found && found.mtimeMs < oldest) await rm(name, { force: true })
  }
}

async function removeOldCopies(file: string): Promise<void> {
  const copies = await copiesOf(file, new RegExp(`-at-\\d{4}-[a-z-]+${path.extname(file)}$`))
  for (const name of copies.sort().slice(0, -maxCopies)) await rm(name, { force: true })
}

async function copiesOf(file: string, suffix: RegExp): Promise<string[]> {
  const { dir, name } = path.parse(file)
  const names = await readdir(dir)
  return names
    .filter((entry) => entry.startsWith(`${name}-at-`) && suffix.test(entry))
    .map((entry) => path.join(dir, entry))
}
