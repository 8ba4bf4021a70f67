import { chmod, copyFile } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../errors/start-error.ts'
import { syncFile } from '../../storage/durable-files.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { fileSum } from './file-sum.ts'
import { databaseName, secretName } from './layout.ts'
import type { Backup } from './open-backup.ts'

/**
 * Copies a backup's database to where it can be opened: the backup itself may lie on a disk that can't be written.
 *
 * @throws StartError where it is not what its manifest says
 */
export async function stageDatabase(
  { directory, name, manifest }: Backup,
  workshop: string,
): Promise<string> {
  const staged = path.join(workshop, databaseName)
  await copyFile(path.join(directory, name, databaseName), staged)
  const { sha256 } = await fileSum(staged)
  if (sha256 !== manifest.database.sha256) {
    throw new StartError(`The database of the backup ${name} is damaged; nothing was changed.`)
  }
  await chmod(staged, 0o600)
  return staged
}

/** Copies a backup's secret, if it has one. */
export async function stageSecret({ directory, name }: Backup, workshop: string): Promise<string | null> {
  const staged = path.join(workshop, secretName)
  const isThere = await nullIfMissing(
    copyFile(path.join(directory, name, secretName), staged).then(() => true),
  )
  if (!isThere) return null
  await chmod(staged, 0o600)
  await syncFile(staged)
  return staged
}
