import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { migrations } from '../../db/migrations/migrations.ts'
import { StartError } from '../../errors/start-error.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { listBackups } from './backup-folder.ts'
import { isUnfinished, markerName } from './layout.ts'
import { readManifest, type Manifest } from './manifest.ts'

/** A finished backup, ready to be restored. */
export interface Backup {
  readonly name: string
  readonly directory: string
  readonly manifest: Manifest
}

/**
 * Finds a backup in a folder of backups.
 *
 * @param wanted its name; without one it is the newest
 * @throws StartError where there is none, it was never finished, or a newer version took it
 */
export async function openBackup(directory: string, wanted?: string): Promise<Backup> {
  const backups = await listBackups(directory)
  const name = wanted ?? backups.at(-1)
  if (name === undefined) throw new StartError(await whyNone(directory))
  if (!backups.includes(name)) {
    const there = backups.length > 0 ? `there are ${backups.join(', ')}` : 'there is none'
    throw new StartError(`There is no backup ${name} in ${directory}; ${there}.`)
  }
  const manifest = await readManifest(path.join(directory, name))
  if (!(manifest.version in migrations)) {
    throw new StartError(
      `The backup ${name} is of a newer version of Rangoli (it knows ${manifest.version}); restore it with that version.`,
    )
  }
  return { name, directory, manifest }
}

async function whyNone(directory: string): Promise<string> {
  const names = await nullIfMissing(readdir(directory))
  if (names === null) return `There is no folder ${directory}.`
  return names.includes(markerName) || names.some(isUnfinished)
    ? `No backup in ${directory} was ever finished.`
    : `${directory} holds no backups.`
}
