import { constants, copyFile, link, mkdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { syncFile } from '../../storage/durable-files.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'

/**
 * Puts a new file in the place of another, which keeps its name in the folder `aside`. At every moment one of the two is
 * there, whole.
 */
export async function replaceFile(fresh: string, file: string, aside: string): Promise<void> {
  if (await nullIfMissing(stat(file))) await keepCopy(file, await placeIn(aside, file))
  await rename(fresh, file)
}

/** Moves a file or folder into the folder `aside`, which is on the same disk; none is no error. */
export async function moveAside(file: string, aside: string): Promise<void> {
  if (await nullIfMissing(stat(file))) await rename(file, await placeIn(aside, file))
}

async function keepCopy(file: string, target: string): Promise<void> {
  try {
    await link(file, target)
  } catch {
    // Not every file system lets a file have two names.
    await copyFile(file, target, constants.COPYFILE_EXCL)
    await syncFile(target)
  }
}

async function placeIn(aside: string, file: string): Promise<string> {
  await mkdir(aside, { recursive: true, mode: 0o700 })
  return path.join(aside, path.basename(file))
}
