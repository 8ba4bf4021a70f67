import { opendir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { isImageFolder, isUnfinishedFolder } from '../../storage/image-names.ts'
import { listBackups } from './backup-folder.ts'
import { pool, sumsName, unfinishedName } from './layout.ts'
import { imageFoldersIn } from './sums.ts'

/** Removes all but the newest backups, and then the images that none of those names any more. */
export async function removeOldBackups(directory: string, keep: number): Promise<void> {
  const backups = await listBackups(directory)
  for (const name of backups.slice(0, -keep)) {
    // What is removed half-way must not look like a whole one.
    const removed = path.join(directory, unfinishedName(name))
    await rename(path.join(directory, name), removed)
    await rm(removed, { recursive: true, force: true })
  }
  const named = new Set<string>()
  for (const name of backups.slice(-keep)) {
    for await (const folder of imageFoldersIn(path.join(directory, name, sumsName))) named.add(folder)
  }
  for await (const { name } of await opendir(path.join(directory, pool))) {
    const isLeftOver = isUnfinishedFolder(name) || (isImageFolder(name) && !named.has(name))
    if (isLeftOver) await rm(path.join(directory, pool, name), { recursive: true, force: true })
  }
}
